; Words that belong to statements are identifiers to the grammar, since they are free to be names elsewhere.

(comment) @comment
(string) @string
(number) @number
(unit) @type

(keyword) @keyword
["and" "or" "not" "in" "is" "if" "then" "else" "for" "about" "implies" "until" "relative" "to" "always" "eventually" "next"] @keyword.operator

(statement
  (expression/identifier) @keyword
  (#any-of? @keyword
    "after" "against" "aim" "assuming" "at" "begin" "choose" "color" "density" "from" "given" "instead" "keep" "looking" "mass" "minimizing" "on"
    "over" "relative" "smooth" "to" "turned" "until" "using" "vec" "when" "while" "with" "constant"))
(line
  (expression/identifier) @keyword
  (#any-of? @keyword "after" "aim" "begin" "choose" "keep" "minimizing" "until"))

((identifier) @constant.builtin (#any-of? @constant.builtin "free" "world" "pi"))
(call function: (identifier) @function)
(call function: (field field: (identifier) @function))
(argument name: (identifier) @variable.parameter)
(statement name: (name) @variable.definition)
(definition name: (name) @property)
(field field: (identifier) @property)

["+" "-" "*" "/" "^" "==" "!=" "<" "<=" ">" ">=" "=" "+=" ".."] @operator
["(" ")" "[" "]" "{" "}" "|"] @punctuation.bracket
["," ";" ":" "."] @punctuation.delimiter
