// The log, played again: frame n is the moment of step n's run, when its rows have been stored. What
// the step chooses and gives back afterwards shows in frame n + 1; the last frame is the end.

const log = JSON.parse(document.getElementById("log").textContent);
const frameCount = log.steps.length + 1;
const kCheckpoint = 64;

const newState = () => ({
  sequences: new Map(),  // those that wait or run, in order of arrival
  owners: new Map(),     // of each held block: the sequences, in order
  ended: [],             // the names of the latest that have ended
  endedCount: 0,
  places: [],            // of the batch: who runs there, or null
});

const newSequence = (prompt, maxTokens) => ({
  status: "waiting", prompt, maxTokens, known: prompt, stored: 0, table: [], place: -1,
});

function cloneState(state) {
  return {
    ...structuredClone({ ...state, sequences: null, owners: null }),
    sequences: new Map([...state.sequences].map(([id, s]) => [id, { ...s, table: [...s.table] }])),
    owners: new Map([...state.owners].map(([block, ids]) => [block, [...ids]])),
  };
}

// What one frame shows beside the state: collected while its events are applied.
const newFrame = () => ({ events: [], fresh: new Set(), written: new Map(), batch: [], preempted: 0 });

function hold(state, id, block) {
  if (!state.owners.has(block)) state.owners.set(block, []);
  state.owners.get(block).push(id);
}

function release(state, id, block) {
  const left = state.owners.get(block).filter((owner) => owner !== id);
  if (left.length > 0) state.owners.set(block, left);
  else state.owners.delete(block);
}

function takePlace(state, id) {
  const empty = state.places.indexOf(null);
  const place = empty < 0 ? state.places.length : empty;
  state.places[place] = id;
  state.sequences.get(id).place = place;
}

function leavePlace(state, id) {
  const sequence = state.sequences.get(id);
  if (sequence.place >= 0) state.places[sequence.place] = null;
  sequence.place = -1;
}

// A sequence that has ended goes once it holds nothing.
function forget(state, id) {
  const sequence = state.sequences.get(id);
  if (sequence.status !== "finished" || sequence.table.length > 0) return;
  leavePlace(state, id);
  state.sequences.delete(id);
  state.ended = [...state.ended.slice(-7), id];
  ++state.endedCount;
}

const actions = {
  arrive(state, frame, id, prompt, maxTokens) {
    state.sequences.set(id, newSequence(prompt, maxTokens));
  },
  admit(state, frame, id) {
    state.sequences.get(id).status = "running";
    takePlace(state, id);
  },
  resume(state, frame, id) {
    actions.admit(state, frame, id);
  },
  preempt(state, frame, id) {
    Object.assign(state.sequences.get(id), { status: "waiting", stored: 0 });
    leavePlace(state, id);
    ++frame.preempted;
  },
  fork(state, frame, id, parent, blocks) {
    state.sequences.set(id, { ...state.sequences.get(parent), table: [...blocks] });
    for (const block of blocks) hold(state, id, block);
    takePlace(state, id);
  },
  share(state, frame, id, blocks) {
    state.sequences.get(id).table.push(...blocks);
    for (const block of blocks) hold(state, id, block);
  },
  allocate(state, frame, id, blocks) {
    state.sequences.get(id).table.push(...blocks);
    for (const block of blocks) {
      hold(state, id, block);
      frame.fresh.add(block);
    }
  },
  copy(state, frame, id, from, to) {
    const { table } = state.sequences.get(id);
    table[table.indexOf(from)] = to;
    release(state, id, from);
    hold(state, id, to);
    frame.fresh.add(to);
  },
  free(state, frame, id, blocks) {
    const sequence = state.sequences.get(id);
    sequence.table.length -= blocks.length;
    for (const block of blocks) release(state, id, block);
    forget(state, id);
  },
  write(state, frame, id, position, rows) {
    const sequence = state.sequences.get(id);
    sequence.stored = position + rows;
    frame.written.set(id, { position, rows });
    frame.batch.push({ id, place: sequence.place, rows, idle: sequence.status === "finished" });
  },
  sample(state, frame, id) {
    ++state.sequences.get(id).known;
  },
  finish(state, frame, id) {
    state.sequences.get(id).status = "finished";
    forget(state, id);
  },
};

function apply(state, frame, events) {
  for (const [kind, id, ...rest] of events) {
    actions[kind](state, frame, id, ...rest);
    frame.events.push([kind, id, ...rest]);
  }
}

function advance(state, n) {
  const frame = newFrame();
  if (n > 0) apply(state, frame, log.steps[n - 1].after);
  if (n < log.steps.length) apply(state, frame, log.steps[n].before);
  return frame;
}

// One pass over all steps: a copy of the state every few steps, and what the charts need.
const checkpoints = [];
const charted = [];
{
  const state = newState();
  for (let n = 0; n < frameCount; ++n) {
    if (n % kCheckpoint === 0) checkpoints.push(cloneState(state));
    const { batch, preempted } = advance(state, n);
    charted.push({ batch, preempted, blocks: state.owners.size });
  }
}

// The state and the frame at some step.
function frameAt(n) {
  const first = Math.floor(n / kCheckpoint);
  const state = cloneState(checkpoints[first]);
  let frame = null;
  for (let at = first * kCheckpoint; at <= n; ++at) frame = advance(state, at);
  return { state, frame };
}
