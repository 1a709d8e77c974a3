//! Texts before and after they are laid out.

mod texts;

use base::SourceId;

fn format(text: &str) -> String {
    syntax::format(SourceId(0), text).unwrap_or_else(|sink| panic!("{text}: {sink:#?}"))
}

#[test]
fn well_laid_out_texts_stay_as_they_are() {
    for text in texts::TEXTS {
        assert_eq!(format(text), *text);
    }
}

#[test]
fn spaces_follow_the_meaning_of_symbols() {
    for (text, expected) in [
        ("gravity  - 9.81[ m / s^2 ]", "gravity -9.81 [m/s^2]"),
        ("let a=-b ^ - 2*|  c | '", "let a = -b^-2 * |c|'"),
        ("let a = f ( x ,name :y ) . z [ i+1 ]", "let a = f(x, name: y).z[i + 1]"),
        ("let a=| |b|-c|", "let a = ||b| - c|"),
        ("frame a{rotation=about x - free;mass=1 ; }", "frame a { rotation = about x -free; mass = 1; }"),
        ("frame a{  }", "frame a {}"),
        ("for i in 1 .. 3{trace b[ i ]}", "for i in 1..3 { trace b[i] }"),
        ("potential for pairs(a,b)in c=1", "potential for pairs (a, b) in c = 1"),
        ("control c in[-1,1][N]=0[N]", "control c in [-1, 1] [N] = 0 [N]"),
        ("always a[i] :|x|==not(y)", "always a[i]: |x| == not (y)"),
        ("kind a(b:[m]=1[m],c:d)is e{x:vec[m];x==y}", "kind a(b: [m] = 1 [m], c: d) is e { x: vec [m]; x == y }"),
        ("law l(s:a)assuming s.x>0{s.f+=1}", "law l(s: a) assuming s.x > 0 { s.f += 1 }"),
        ("law l for s:a{s.f+= - 1}", "law l for s: a { s.f += -1 }"),
        ("x :constant vec[m]in[0,1][m]=1 [ m ]\"t\"", "x: constant vec [m] in [0, 1] [m] = 1 [m] \"t\""),
        ("car [i] :Car( 1,b :2 )", "car[i]: Car(1, b: 2)"),
        ("g for pairs(a,b)in c{k=1}", "g for pairs (a, b) in c { k = 1 }"),
        ("let a=sum (x for g in h if g.a is p)", "let a = sum(x for g in h if g.a is p)"),
        ("let θ = a−b·c", "let θ = a − b · c"),
        ("mode  car . state :a|b|c=a", "mode car.state: a | b | c = a"),
        ("always a:b==c while m==d", "always a: b == c while m == d"),
        (
            "when a:|b|<=0 and m==c{m==d;keep  positions ,e;}",
            "when a: |b| <= 0 and m == c { m == d; keep positions, e; }",
        ),
        (
            "when a:b<=0{b==-e*pre( b )\nkeep all except b , c\n}",
            "when a: b <= 0 { b == -e * pre(b)\n  keep all except b, c\n}",
        ),
        (
            "sequence a when b>=0{begin{keep all}\nuntil c<=0{d==e}}",
            "sequence a when b >= 0 { begin { keep all }\n  until c <= 0 { d == e } }",
        ),
        (
            "plan p when a{choose v:vec[m/s]from(0,0,0)\nafter 2[s]aim a==b,c==-d{keep all}}",
            "plan p when a { choose v: vec [m/s] from (0, 0, 0)\n  after 2 [s] aim a == b, c == -d { keep all } }",
        ),
        ("contact a ,b [ i ]{restitution=.8;together}", "contact a, b[i] { restitution = .8; together }"),
        ("contact  none between a,b", "contact none between a, b"),
        (
            "frame f{shape=box( a,b,c )at( 0,0,1 )[m]turned about y 30[deg]}",
            "frame f { shape = box(a, b, c) at (0, 0, 1) [m] turned about y 30 [deg] }",
        ),
        ("claim c:always(a>=0 implies eventually|b|<1)", "claim c: always (a >= 0 implies eventually |b| < 1)"),
    ] {
        assert_eq!(format(text), format!("{expected}\n"), "{text}");
    }
}

#[test]
fn definitions_placements_and_comments_stand_in_columns() {
    let text = "\
param length = 1 [m] \"of the string\" // a
param m = 10 [kg] \"of the bob\"// b
let area = 2

param alone = 1 // c
frame swing in world {rotation = about x free}
body bob in swing { mass = m }
body b { mass = m }
fn f(a) = a
fn longer(a) = a
";
    let expected = "\
param length = 1 [m]   \"of the string\"  // a
param m      = 10 [kg] \"of the bob\"     // b
let area     = 2

param alone = 1  // c
frame swing in world { rotation = about x free }
body  bob   in swing { mass = m }
body  b              { mass = m }
fn f(a)      = a
fn longer(a) = a
";
    assert_eq!(format(text), expected);
}

#[test]
fn equations_and_things_stand_in_columns() {
    let text = "\
kind a {
  x: [m]
  force == 1
  newton: m*force.x == if a == b then 1 else 2
  x[1]' == sum(g.f for g in h if g.a == 1)
  always x == 1
  always force.y == 1
}
n: node
r1:resistor(a, b){ r = 1 }
r[12]: capacitor(b) { c = 1; d = 2 }
";
    let expected = "\
kind a {
  x: [m]
  force               == 1
  newton: m * force.x == if a == b then 1 else 2
  x[1]'               == sum(g.f for g in h if g.a == 1)
  always x == 1
  always force.y == 1
}
n: node
r1:    resistor(a, b) { r = 1 }
r[12]: capacitor(b)   { c = 1; d = 2 }
";
    assert_eq!(format(text), expected);
}

/// The effects of a transition are a table of their own.
#[test]
fn transitions_are_laid_out_as_blocks() {
    let text = "\
when a: b <= 0
{
x == pre(x)
longer.name == 1
keep positions
}
plan p when a {
choose v: [m/s]
   begin { keep all
 }
after 2 [s] aim a == b,
c == d {
m == q
}
}
";
    let expected = "\
when a: b <= 0
{
  x           == pre(x)
  longer.name == 1
  keep positions
}
plan p when a {
  choose v: [m/s]
  begin { keep all
  }
  after 2 [s] aim a == b,
    c == d {
      m == q
    }
}
";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

#[test]
fn lines_are_indented_by_what_is_open() {
    let text = "
for i in 1..2 {


      // A bead.
body bead[i] in ring
{
position = a
+ b // more
    mass = 1
}
show rod(
from: a,
to: f(b,
c)
) on b
}
";
    let expected = "\
for i in 1..2 {

  // A bead.
  body bead[i] in ring
  {
    position = a
      + b  // more
    mass = 1
  }
  show rod(
    from: a,
    to: f(b,
      c)
  ) on b
}
";
    assert_eq!(format(text), expected);
}

#[test]
fn empty_texts_stay_empty_and_lines_end_in_one_way() {
    assert_eq!(format(" \n\n "), "");
    assert_eq!(format("\r\n// only a comment  \r\n\r\n\r\nscene a"), "// only a comment\n\nscene a\n");
}

#[test]
fn a_text_that_cannot_be_read_is_refused() {
    let sink = syntax::format(SourceId(3), "scene a\nparam b =").expect_err("an error");
    assert!(sink.iter().all(|diagnostic| diagnostic.labels.iter().all(|label| label.span.source == SourceId(3))));
    assert_eq!(sink.iter().count(), 1);
}
