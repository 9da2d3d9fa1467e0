/// \file
/// \brief Conversations as the text that a model was trained to see them as.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/json.h"
#include "src/text/tokenizer.h"

namespace quire {

/// \brief Something that somebody said.
struct ChatMessage {
  std::string role;     ///< "system", "user" or "assistant"
  std::string content;  ///< what was said
};

/// \brief The families of templates that Quire knows.
enum class ChatFormat {
  chatml,   ///< SmolLM2, Qwen2 and many others: `<|im_start|>role`, a line for the role
  llama2,   ///< `[INST]` around the user, `<<SYS>>` in the first message
  llama3,   ///< `<|start_header_id|>role<|end_header_id|>`
  mistral,  ///< `[INST]` without a system message, version 0.1 and 0.2
};

/// \brief How conversations become text for a model.
///
/// The template of a model is a program in Jinja. Quire runs no Jinja: it knows the templates of
/// these families by their text, whatever their layout, and refuses all others. In particular
/// templates with branches for tools or for thinking are refused, also where a conversation would
/// never reach them.
class ChatTemplate {
 public:
  /// \brief Reads the template of a model folder: chat_template.jinja, or "chat_template" of
  /// tokenizer_config.json, which also names the BOS and EOS tokens.
  /// \param model_dir  a model folder
  /// \throws Error if there is none, or it is not known
  static ChatTemplate load(const std::filesystem::path& model_dir);
  /// \brief Recognises a template.
  /// \param jinja  its text
  /// \param bos    the BOS token as it is spelled, may be empty
  /// \param eos    the EOS token as it is spelled, may be empty
  /// \param where  what to call it in messages
  /// \throws Error if it is not known
  static ChatTemplate parse(std::string_view jinja, std::string bos, std::string eos,
                            std::string_view where);

  /// \brief Which family it is of.
  ChatFormat format() const { return format_; }
  /// \brief The text of a conversation, as `apply_chat_template` of `transformers` renders it.
  /// \param messages  in order, at least one
  /// \param answer    whether the assistant is to speak next
  /// \throws Error if the family does not allow these roles in this order
  std::string render(const std::vector<ChatMessage>& messages, bool answer) const;
  /// \brief The tokens of a conversation: those of the rendered text, with special tokens.
  ///
  /// If a message spells a special token, that stays text: the messages are then encoded each by
  /// itself.
  /// \param tokenizer  the model's
  /// \param messages   in order, at least one
  /// \param answer     whether the assistant is to speak next
  /// \throws Error as render
  std::vector<TokenId> encode(const Tokenizer& tokenizer, const std::vector<ChatMessage>& messages,
                              bool answer) const;

 private:
  // A part of the rendered text; what was said must not steer.
  struct Part {
    std::string text;
    bool said = false;
  };

  std::vector<Part> parts(const std::vector<ChatMessage>& messages, bool answer) const;
  std::vector<Part> chatml(const std::vector<ChatMessage>& messages, bool answer) const;
  std::vector<Part> llama2(const std::vector<ChatMessage>& messages) const;
  std::vector<Part> llama3(const std::vector<ChatMessage>& messages, bool answer) const;
  std::vector<Part> mistral(const std::vector<ChatMessage>& messages) const;

  ChatFormat format_ = ChatFormat::chatml;
  std::string bos_, eos_;
  std::string system_;           // what the system says if the conversation does not say it
  std::string after_answer_;     // follows EOS
  bool always_answers_ = false;  // the prompt for an answer is there whether asked for or not
};

/// \brief Reads a conversation: an array of objects with "role" and "content".
/// \param json   the array
/// \param where  what to call it in messages
/// \throws Error if it is anything else
std::vector<ChatMessage> read_messages(const Json& json, std::string_view where);

}  // namespace quire
