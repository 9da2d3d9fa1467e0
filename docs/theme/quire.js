// What the pages need beyond Doxygen's HTML: formulas, copy buttons, and names for screen readers.
(() => {
  function renderFormulas() {
    renderMathInElement(document.body, {
      delimiters: [
        { left: "\\[", right: "\\]", display: true },
        { left: "\\(", right: "\\)", display: false },
        { left: "\\begin{align*}", right: "\\end{align*}", display: true },
      ],
      ignoredClasses: ["fragment"],
      throwOnError: false,
    });
  }

  // A full stop must not begin the line after its formula.
  function keepPunctuation() {
    for (const formula of document.querySelectorAll(".katex")) {
      if (formula.closest(".katex-display")) continue;
      const wrapper = formula.parentElement;
      const whole = wrapper.matches("span") && wrapper.childNodes.length === 1 ? wrapper : formula;
      const mark = whole.nextSibling?.nodeType === Node.TEXT_NODE &&
        whole.nextSibling.data.match(/^[.,;:)?!]+/);
      if (!mark) continue;
      const box = document.createElement("span");
      box.className = "nowrap";
      whole.nextSibling.data = whole.nextSibling.data.slice(mark[0].length);
      whole.before(box);
      box.append(whole, mark[0]);
    }
  }

  const linesOf = (fragment) => [...fragment.querySelectorAll(".line")];
  const textOf = (line) => {
    const copy = line.cloneNode(true);
    copy.querySelectorAll(".lineno, .ttc").forEach((node) => node.remove());
    return copy.textContent.replace(/\u00a0/g, " ").replace(/\n$/, "");
  };

  // "$ command" above its output: only the command is copied.
  function markCommands(fragment) {
    for (const line of linesOf(fragment)) {
      if (!textOf(line).startsWith("$ ")) continue;
      const command = textOf(line).slice(2);
      line.innerHTML = '<span class="prompt">$ </span><span class="command"></span>';
      line.querySelector(".command").textContent = command;
    }
  }

  function copied(fragment) {
    const commands = [...fragment.querySelectorAll(".command")].map((node) => node.textContent);
    return commands.length ? commands.join("\n") : linesOf(fragment).map(textOf).join("\n");
  }

  function addCopyButton(fragment) {
    const frame = document.createElement("div"), button = document.createElement("button");
    frame.className = "code-frame";
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copied(fragment));
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    fragment.before(frame);
    frame.append(fragment, button);
    fragment.tabIndex = 0;
  }

  function frameTables() {
    for (const table of document.querySelectorAll("table.markdownTable")) {
      const heads = [...table.querySelectorAll("th")];
      if (heads.every((head) => head.textContent.trim() === "")) table.classList.add("headless");
      const scroller = document.createElement("div");
      scroller.className = "wide";
      table.before(scroller);
      scroller.append(table);
    }
  }

  function nameParts() {
    document.getElementById("MSearchField")?.setAttribute("aria-label", "Search");
    document.getElementById("doc-content")?.setAttribute("role", "main");
  }

  document.addEventListener("DOMContentLoaded", () => {
    renderFormulas();
    keepPunctuation();
    for (const fragment of document.querySelectorAll(".contents div.fragment")) {
      markCommands(fragment);
      addCopyButton(fragment);
    }
    frameTables();
    nameParts();
  });
})();
