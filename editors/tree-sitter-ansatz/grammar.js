/**
 * The language of Ansatz for editors. A word that begins a statement is a keyword only there, so statements are read as a keyword and what follows
 * it: names, expressions, clauses and braces. Which clauses belong to which statement the compiler says better than any grammar.
 *
 * `cargo run -p tree-sitter-ansatz --example generate` makes `src/parser.c` of this file.
 */

/// Words that begin a statement; `tests/grammar.rs` compares them with the compiler's own table.
const STATEMENTS = [
  "scene", "use", "param", "let", "fn", "data", "control", "frame", "body", "group", "gravity", "potential", "force", "torque", "always", "initially",
  "history", "surface", "for", "show", "camera", "light", "trace", "plot", "theory", "kind", "connection", "law", "join", "contact", "actuator",
  "prescribe", "mode", "when", "sequence", "plan", "every", "stop", "claim", "assume", "neglect", "find", "describe",
];

/// Those that are always followed by a name.
const DECLARATIONS = ["scene", "theory", "param", "let", "fn", "data", "control", "frame", "body", "group", "surface", "kind", "connection", "law"];

/// From the loosest to the tightest, as in the compiler.
const LEVEL = { claim: 0, or: 1, and: 2, not: 3, comparison: 4, in: 5, sum: 6, product: 7, sign: 8, power: 9, postfix: 10 };

const separated = (rule) => seq(rule, repeat(seq(",", rule)), optional(","));

const items = ($) => seq(repeat(seq(optional($._item), choice(";", $._end))), optional($._item));

export default grammar({
  name: "ansatz",
  word: ($) => $.identifier,
  extras: ($) => [/\s/, "\ufeff", $.comment],
  externals: ($) => [$._end],
  supertypes: ($) => [$.expression],

  rules: {
    source_file: items,
    _item: ($) => choice($.statement, $.definition, $.line),

    statement: ($) => prec(1, choice(seq(field("keyword", $.keyword), repeat($._part)), $._declaration, $._mode)),
    keyword: () => choice(...STATEMENTS.filter((word) => word !== "mode" && !DECLARATIONS.includes(word))),
    /// `frame swing in world { … }`, `kind link(length: [m]) { … }`
    _declaration: ($) => seq(
      field("keyword", alias(choice(...DECLARATIONS), $.keyword)), field("name", $.name), optional($.arguments),
      optional(seq("in", field("parent", choice($.expression, $.interval)))), repeat($._part),
    ),
    /// `mode motion: bouncing | rolling = bouncing`, where bars do not stand around anything
    _mode: ($) => seq(field("keyword", alias("mode", $.keyword)), optional(seq(field("name", $.name), ":", $.values, optional(seq("=", $.identifier))))),
    values: ($) => seq($.identifier, repeat(seq("|", $.identifier))),

    /// `mass = 1 [kg]`, `ball: sphere(1 [m]) density 3`
    definition: ($) => prec(2, seq(field("name", $.name), choice("=", "+=", ":=", ":"), repeat($._part))),

    /// An equation that stands by itself, or an order such as `keep positions`.
    line: ($) => choice(
      seq($._part, repeat($._part)),
      // What is called like a statement: `surface == north`, `body.force += weight`
      seq(alias(choice(...DECLARATIONS), $.identifier), choice(":", "=", "+=", "==", "!=", "."), repeat($._part)),
    ),

    _part: ($) => choice($.expression, $.unit, $.interval, $.range, $.block, $.condition, ",", ":", "=", "+=", ":=", seq(".", $.identifier)),

    /// `law drag for s: foil, f: fluid if s.fluid is f`
    condition: ($) => seq("if", $.expression),

    block: ($) => seq("{", items($), "}"),

    name: ($) => prec.right(1, seq($.identifier, repeat(seq(".", $.identifier)), optional($.indices))),

    expression: ($) => choice(
      $.identifier, $.number, $.string, $.quantity, $.vector, $.size, $.call, $.field, $.index, $.derivative, $.binary, $.unary, $.choice, $.rotation,
    ),

    /// `9.81 [m/s^2]`, `(0, 0, 1) [m]`
    quantity: ($) => prec(LEVEL.postfix, seq(choice($.number, $.vector, $.call, $.size), $.unit)),
    unit: () => token(prec(1, /\[[^\[\],\n]*\]/)),
    interval: ($) => seq("[", $.expression, ",", $.expression, "]"),
    range: ($) => prec.right(seq($.expression, "..", $.expression)),

    /// Parentheses around one expression or several.
    vector: ($) => seq("(", optional(separated(choice($.expression, $.argument, $.temporal))), ")"),
    /// `always (x > 0 implies (eventually y > 0))`, inside of parentheses
    temporal: ($) => seq(choice("always", "eventually", "next"), $.expression),
    /// `|a - b|`
    size: ($) => prec(1, seq("|", $.expression, "|")),

    call: ($) => prec(LEVEL.postfix, seq(field("function", choice($.identifier, $.field, $.index, $.derivative)), $.arguments)),
    arguments: ($) => seq(token.immediate("("), optional(separated(choice($.argument, $.expression, $.sum, $.range))), ")"),
    argument: ($) => seq(field("name", $.identifier), ":", choice($.expression, $.unit, seq($.identifier, $.unit)), optional(seq("=", $.expression))),
    /// `g.force for g in gravitation if g.a is p`
    sum: ($) => seq($.expression, "for", $.expression, optional(seq("if", $.expression))),

    field: ($) => prec(LEVEL.postfix, seq(choice($.identifier, $.field, $.index, $.call, $.vector, $.derivative, $.quantity), ".", field("field", $.identifier))),
    index: ($) => prec(LEVEL.postfix, seq(choice($.identifier, $.field, $.index), $.indices)),
    indices: ($) => seq(token.immediate(prec(2, "[")), separated(choice($.expression, $.range)), "]"),
    derivative: ($) => prec(LEVEL.postfix, seq(choice($.identifier, $.field, $.index, $.call, $.derivative, $.vector, $.size), token.immediate(choice("'", "′")))),

    unary: ($) => choice(
      prec(LEVEL.sign, seq(field("operator", choice("-", "−", "+")), $.expression)),
      prec(LEVEL.not, seq(field("operator", "not"), $.expression)),
    ),
    binary: ($) => choice(
      ...[
        [LEVEL.claim, choice("implies", "until")], [LEVEL.or, "or"], [LEVEL.and, "and"],
        [LEVEL.comparison, choice("==", "!=", "≠", "<", "<=", "≤", ">", ">=", "≥", "is")],
        [LEVEL.sum, choice("+", "-", "−")], [LEVEL.product, choice("*", "/", "·", "⋅", "×")],
      ].map(([level, operator]) => prec.left(level, seq($.expression, field("operator", operator), $.expression))),
      prec.left(LEVEL.in, seq($.expression, field("operator", "in"), choice($.expression, $.interval, $.range))),
      prec.left(LEVEL.in, seq($.expression, field("operator", "relative"), "to", $.expression)),
      prec.right(LEVEL.power, seq($.expression, field("operator", "^"), $.expression)),
    ),

    choice: ($) => prec.right(seq("if", $.expression, "then", $.expression, "else", $.expression)),
    rotation: ($) => prec.right(seq("about", field("axis", choice($.identifier, $.vector)), $.expression)),

    identifier: () => /[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}₀-₉_]*/,
    number: () => /(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?/,
    string: () => /"[^"\n]*"/,
    comment: () => token(seq("//", /[^\n]*/)),
  },
});
