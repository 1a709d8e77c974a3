// Where statements end: a line end counts unless the next line begins with what can only go on with the line above. Inside of parentheses and after an
// operator the grammar asks for no end, so nothing has to be known of those here. See `crates/language/syntax/src/layout.rs`.

#include "tree_sitter/parser.h"
#include <string.h>

enum { END };

void *tree_sitter_ansatz_external_scanner_create(void) { return NULL; }
void tree_sitter_ansatz_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_ansatz_external_scanner_serialize(void *payload, char *buffer) { (void)payload; (void)buffer; return 0; }
void tree_sitter_ansatz_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) { (void)payload; (void)buffer; (void)length; }

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == 0xfeff; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c > 0x7f; }

// Words with which a line goes on; those of the second row only before an operand.
static const char *const JOINING[] = {"and", "or", "in", "is", "then", "else", NULL};
static const char *const CLAUSES[] = {"assuming", "instead", "given", "using", "minimizing", "relative", NULL};

static bool is_among(const char *word, const char *const *list) {
  for (; *list; list++) if (strcmp(word, *list) == 0) return true;
  return false;
}

static bool goes_on_with_word(TSLexer *lexer) {
  char word[16] = {0};
  unsigned length = 0;
  for (; is_letter(lexer->lookahead); lexer->advance(lexer, true)) if (length < sizeof word - 1) word[length++] = (char)lexer->lookahead;
  if (is_among(word, JOINING)) return true;
  if (!is_among(word, CLAUSES)) return false;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  return is_letter(lexer->lookahead) || lexer->lookahead == '(' || lexer->lookahead == '|' || lexer->lookahead == '"';
}

static bool goes_on(TSLexer *lexer) {
  int32_t c = lexer->lookahead;
  switch (c) {
    case '+': case '-': case '*': case '/': case '^': case '=': case '!': case '<': case '>': case ',': case '{':
    case 0xb7: case 0x22c5: case 0xd7: case 0x2212: case 0x2260: case 0x2264: case 0x2265:
      return true;
    case '.':
      lexer->advance(lexer, true);
      return lexer->lookahead < '0' || lexer->lookahead > '9';
    default:
      return is_letter(c) && !(c >= '0' && c <= '9') && goes_on_with_word(lexer);
  }
}

bool tree_sitter_ansatz_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  if (!valid[END]) return false;
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  // A comment at the end of a line is a node of its own; after it this is asked again.
  if (lexer->lookahead != '\n') return false;
  lexer->advance(lexer, true);
  // What is looked at from here on is not part of the end.
  lexer->mark_end(lexer);
  lexer->result_symbol = END;
  for (;;) {
    while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') lexer->advance(lexer, true);
    if (lexer->lookahead != '/') break;
    lexer->advance(lexer, true);
    if (lexer->lookahead != '/') return false;
    while (lexer->lookahead && lexer->lookahead != '\n') lexer->advance(lexer, true);
  }
  return !goes_on(lexer);
}
