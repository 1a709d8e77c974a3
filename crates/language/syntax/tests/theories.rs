//! Kinds, connections, laws and things: the trees that their texts give.

mod reading;

use reading::{only_item, tree};
use syntax::*;

/// The members of a kind with this text in its braces, in few words.
fn members(text: &str) -> Vec<String> {
    let ItemKind::Kind(kind) = only_item(&format!("kind k {{ {text} }}")) else { panic!("{text}") };
    kind.members.iter().map(|item| describe(&item.kind)).collect()
}

fn describe(item: &ItemKind) -> String {
    let print = print_expression;
    match item {
        ItemKind::Scene(name) => format!("scene {}", name.text),
        ItemKind::Theory(name) => format!("theory {}", name.text),
        ItemKind::Use(Use::Theory(name)) => format!("use {}", name.text),
        ItemKind::Kind(kind) => head("kind", &kind.name, &kind.parameters, &kind.parent),
        ItemKind::Connection(it) => head("connection", &it.name, &it.parameters, &it.parent),
        ItemKind::Law(law) => {
            let assumption = law.assumption.iter().map(|condition| format!(" assuming {}", print(condition)));
            format!("{}{}", head("law", &law.name, &law.parameters, &None), assumption.collect::<String>())
        }
        ItemKind::Quantity(quantity) => describe_quantity(quantity),
        ItemKind::Equation(equation) => {
            let (left, right) = equation.sides().expect("an equation");
            format!("{}{} == {}", label(&equation.label), print(left), print(right))
        }
        ItemKind::Addition(addition) => {
            format!("{}{} += {}", label(&addition.label), print(&addition.total), print(&addition.part))
        }
        ItemKind::Thing(thing) => {
            let arguments: Vec<String> = thing.arguments.iter().map(|argument| print(&argument.value)).collect();
            let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
            format!("thing {}: {}{arguments}{}", full(&thing.name), thing.kind.text, properties(&thing.properties))
        }
        ItemKind::Join(join) => {
            let name = join.name.as_ref().map_or(String::new(), |name| format!("{}: ", full(name)));
            let [from, to] = [&join.ends[0], &join.ends[1]].map(print);
            format!("join {name}{from} to {to} with {}{}", join.kind.text, properties(&join.properties))
        }
        ItemKind::Contact(contact) => {
            let [first, second] = [&contact.sides[0], &contact.sides[1]].map(print);
            let flags: Vec<&str> = contact.flags.iter().map(|flag| flag.text.as_str()).collect();
            let none = if contact.none { "none " } else { "" };
            format!("contact {none}{first}, {second}{}{}", properties(&contact.properties), flags.join(" "))
        }
        ItemKind::Body(body) => format!("body {}{}", full(&body.name), properties(&body.properties)),
        ItemKind::Connections(it) => {
            let names = match &it.quantifier.binding {
                Binding::Each(name) => name.text.clone(),
                Binding::Pairs(a, b) => format!("({}, {})", a.text, b.text),
            };
            let Domain::List(list) = &it.quantifier.domain else { panic!("a range") };
            format!("{} for {names} in {}{}", it.kind.text, print(list), properties(&it.properties))
        }
        ItemKind::For(repeated) => {
            let inside: Vec<String> = repeated.items.iter().map(|item| describe(&item.kind)).collect();
            format!("for {{ {} }}", inside.join("; "))
        }
        other => {
            let printed = format!("{other:?}");
            printed.split(['(', ' ']).next().unwrap_or("").to_lowercase()
        }
    }
}

fn head(word: &str, name: &Word, parameters: &[Parameter], parent: &Option<Word>) -> String {
    let parameter = |parameter: &Parameter| {
        let type_ = match &parameter.type_ {
            ParameterType::Thing(kind) => kind.text.clone(),
            ParameterType::Quantity(type_) => describe_type(type_),
        };
        let default = parameter.default.iter().map(|value| format!(" = {}", print_expression(value)));
        format!("{}: {type_}{}", parameter.name.text, default.collect::<String>())
    };
    let list: Vec<String> = parameters.iter().map(parameter).collect();
    let list = if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) };
    let parent = parent.iter().map(|parent| format!(" is {}", parent.text));
    format!("{word} {}{list}{}", name.text, parent.collect::<String>())
}

fn describe_quantity(quantity: &Quantity) -> String {
    let mut text = format!("{}: ", full(&quantity.name));
    text += &quantity.modifier.map_or_else(String::new, |modifier| format!("{} ", modifier.word()));
    text += &describe_type(&quantity.type_);
    if let Some(range) = &quantity.range {
        text += &format!(" in [{}, {}]", print_expression(&range.low), print_expression(&range.high));
        text += &range.unit.as_ref().map_or_else(String::new, |unit| format!(" [{}]", unit.text));
    }
    text += &quantity.default.as_ref().map_or_else(String::new, |value| format!(" = {}", print_expression(value)));
    text + &quantity.description.as_ref().map_or_else(String::new, |text| format!(" <{}>", text.value))
}

fn describe_type(type_: &QuantityType) -> String {
    let unit = type_.unit.as_ref().map_or_else(String::new, |unit| format!(" [{}]", unit.text));
    format!("{}{unit}", type_.domain.word())
}

fn label(label: &Option<Name>) -> String {
    label.as_ref().map_or_else(String::new, |label| format!("{}: ", full(label)))
}

fn full(name: &Name) -> String {
    let indices = name.indices.iter().map(|index| format!("[{}]", print_expression(index)));
    format!("{}{}", name.text, indices.collect::<String>())
}

fn properties(properties: &[Property]) -> String {
    let one = |property: &Property| {
        let clause = |clause: &Clause| format!(" {} {}", clause.word.text, print_expression(&clause.value));
        let clauses: String = property.clauses.iter().map(clause).collect();
        format!("{} = {}{clauses}", property.name.text, print_expression(&property.value))
    };
    let list: Vec<String> = properties.iter().map(one).collect();
    if list.is_empty() { String::new() } else { format!(" {{ {} }}", list.join("; ")) }
}

fn outline(text: &str) -> Vec<String> {
    tree(text).items.iter().map(|item| describe(&item.kind)).collect()
}

#[test]
fn the_theory_of_particles_is_a_kind_a_connection_and_a_law() {
    let text = include_str!("texts/particles.ansatz");
    let expected = [
        "theory particles",
        "let",
        "kind particle",
        "connection gravitation(a: particle, b: particle)",
        "law resultant(p: particle)",
    ];
    assert_eq!(outline(text), expected);
    let tree = tree(text);
    assert_eq!(tree.items[2].documentation.as_deref(), Some("A point that bears mass."));
    let ItemKind::Kind(particle) = &tree.items[2].kind else { panic!() };
    let members: Vec<String> = particle.members.iter().map(|item| describe(&item.kind)).collect();
    let expected = [
        "mass: constant real [kg]",
        "position: vec [m]",
        "velocity: vec [m/s]",
        "momentum: vec [kg*m/s]",
        "force: vec [N]",
        "momentum == mass * velocity",
        "force == der(momentum)",
        "velocity == der(position)",
    ];
    assert_eq!(members, expected);
}

#[test]
fn a_scene_is_made_of_things_and_connections() {
    let text = include_str!("texts/three_particles.ansatz");
    let expected = [
        "scene three_particles",
        "use particles",
        "thing p1: particle { mass = 1e6 [kg] }",
        "thing p2: particle { mass = 1e6 [kg] }",
        "thing p3: particle { mass = 1e6 [kg] }",
        "gravitation for (a, b) in particle",
    ];
    assert_eq!(outline(text)[..6], expected);
}

#[test]
fn the_theory_of_rigid_bodies_inherits_and_adds_up() {
    let text = include_str!("texts/rigid_bodies.ansatz");
    let expected = [
        "theory rigid_bodies",
        "use geometry",
        "kind rigid_body is solid",
        "connection holonomic(a: rigid_body, b: rigid_body)",
        "connection ball_and_socket is holonomic",
        "connection weight(body: rigid_body)",
        "law resultant_force(o: rigid_body)",
        "law resultant_torque(o: rigid_body)",
        "law newton(o: rigid_body)",
        "law euler(o: rigid_body)",
        "law virtual_work(h: ball_and_socket)",
    ];
    assert_eq!(outline(text), expected);
    let text = include_str!("texts/hinged_blocks.ansatz");
    let expected = [
        "kind block(size: vec [m] = (0.2, 0.2, 1) [m]) is rigid_body",
        "thing earth: rigid_body",
        "for { thing block[i]: block { density = 1000 [kg/m^3] } }",
        "thing hinge1: ball_and_socket(earth, block[1]) { point_a = (0, 0, 0); point_b = corner }",
        "thing hinge2: ball_and_socket(block[1], block[2]) { point_a = -corner; point_b = corner }",
        "weight for b in block",
    ];
    assert_eq!(outline(text)[4..10], expected);
}

#[test]
fn the_theory_of_circuits_connects_nodes() {
    let text = include_str!("texts/circuits.ansatz");
    let expected = [
        "theory circuits",
        "kind node",
        "connection two_terminal(n1: node, n2: node)",
        "connection capacitor is two_terminal",
        "connection resistor is two_terminal",
        "connection inductor is two_terminal",
        "connection ac_generator is two_terminal",
        "law current_law(n: node)",
    ];
    assert_eq!(outline(text), expected);
    let text = include_str!("texts/ac_circuit.ansatz");
    let expected = [
        "thing node1: node { voltage = 1 [V] }",
        "thing node2: node",
        "thing node3: node",
        "thing node4: node",
        "thing generator1: ac_generator(node1, node2) { amplitude = amplitude; omega = omega }",
    ];
    assert_eq!(outline(text)[5..10], expected);
}

#[test]
fn the_parts_of_a_kind_are_frames_equations_and_things() {
    let text = include_str!("texts/train.ansatz");
    let tree = tree(text);
    let ItemKind::Kind(car) = &tree.items[7].kind else { panic!("{:?}", tree.items[7]) };
    let members: Vec<String> = car.members.iter().map(|item| describe(&item.kind)).collect();
    let repeated =
        "for { thing wheel[i]: wheel(front_axle); turning[i]: wheel[i].rate * 0.3 [m] == |chassis.velocity| }";
    let expected = [
        "frame",
        "body chassis { position = (radius, 0, free); rotation = about x free; mass = 1 [kg] + load }",
        "frame",
        "let",
        repeated,
        "always",
        "always",
        "force",
        "potential",
        "initially",
        "show",
    ];
    assert_eq!(members, expected);
    assert_eq!(describe(&tree.items[7].kind), "kind Car(start: real [deg], load: real [kg] = 0 [kg])");
    assert_eq!(describe(&tree.items[8].kind), "for { thing car[i]: Car(-4.6 [deg] * (i - 1), 10 [kg]) }");
}

/// As they stand on the page that says where the language is going.
#[test]
fn the_north_star_can_be_read() {
    tree(
        "fn altitude(a) = amplitude * cos(frequency * a)
fn slope(a)    = partial(altitude(a), a) / radius

kind Car(start: [deg]) {
  frame origin in world  { rotation = about z free(start) }
  body  chassis in origin { position = (radius, 0, free); rotation = about x free; mass = 1 [kg] }
  frame front_axle in chassis { position = (0, 1, -0.3) [m]; rotation = about x free }
  always on_track: chassis.position.z == altitude(origin.angle)
}

for i in 1..3 { car[i]: Car(-4.6 [deg] * (i - 1)) }
for i in 1..2 { always linked[i]: |car[i].chassis.position - car[i+1].chassis.position| == 4 [m] }
",
    );
    tree(
        "theory particles

kind particle {
  mass: constant [kg]
  position: vec [m];  velocity: vec [m/s];  momentum: vec [kg*m/s];  force: vec [N]
  momentum == mass * velocity
  force    == der(momentum)
  velocity == der(position)
}

connection gravitation(a: particle, b: particle) {
  force: vec [N]                                                   // of b on a
  force == G * a.mass * b.mass * (b.position - a.position) / |b.position - a.position|^3
}

law resultant for p: particle {
  p.force == sum(g.force for g in gravitation if g.a is p) - sum(g.force for g in gravitation if g.b is p)
}
",
    );
    tree(
        "scene three
use particles
p1: particle { mass = 1e6 [kg] }
initially p2.momentum == (0, 5000, 0) [kg*m/s]
gravitation for pairs (a, b) in particle
",
    );
    tree(
        "law drag(s: wetted, f: fluid)        { s.host.force += 1/2 * s.area * f.density * s.speed^2 * s.flow_direction }
law still(s: foil, f: fluid) assuming s.speed == 0 { s.lift == (0, 0, 0) }
",
    );
}

#[test]
fn quantities_have_modifiers_domains_units_ranges_and_values() {
    for (text, expected) in [
        ("mass: constant [kg]", "mass: constant real [kg]"),
        ("position: vec [m]", "position: vec [m]"),
        ("force: sum vec [N]", "force: sum vec [N]"),
        ("state: quaternion", "state: quaternion"),
        ("axes: rotation", "axes: rotation"),
        ("inertia: matrix [kg*m^2]", "inertia: matrix [kg*m^2]"),
        ("x: real [m] = 0 [m]", "x: real [m] = 0 [m]"),
        ("charge: [C]", "charge: real [C]"),
        ("count: constant", "count: constant real"),
        ("total: sum", "total: sum real"),
        ("n: real", "n: real"),
        ("x: [m] in [0, 5] [m] = 1 [m] \"from the wall\"", "x: real [m] in [0, 5] [m] = 1 [m] <from the wall>"),
        ("x: [m] = 1 [m] in [0 [m], 5 [m]]", "x: real [m] in [0 [m], 5 [m]] = 1 [m]"),
        ("x[i]: [m]", "x[i]: real [m]"),
        ("flag: real = if a == b then 1 else 0", "flag: real = if a == b then 1 else 0"),
        ("rotation: rotation", "rotation: rotation"),
        ("force: [N]", "force: real [N]"),
    ] {
        assert_eq!(members(text), [expected], "{text}");
    }
}

#[test]
fn equations_and_sums_are_told_from_quantities_by_what_follows() {
    for (text, expected) in [
        ("newton: force == der(momentum)", "newton: force == der(momentum)"),
        ("balance: sum(g.force for g in h) == 0", "balance: sum(g.force for g in h) == 0"),
        ("turn: rotation * v == w", "turn: rotation * v == w"),
        ("sum: real == 3", "sum: real == 3"),
        ("0 == a + b", "0 == a + b"),
        ("(a + b) / 2 == c", "(a + b) / 2 == c"),
        ("|n| == 1", "|n| == 1"),
        ("-a == b", "-a == b"),
        ("x' == v", "x' == v"),
        ("x[1] == v", "x[1] == v"),
        ("force == der(momentum)", "force == der(momentum)"),
        ("force.x + light == 3", "force.x + light == 3"),
        ("potential - kinetic == lagrangian", "potential - kinetic == lagrangian"),
        ("mode[1]' == 2", "mode[1]' == 2"),
        ("total += part - 1", "total += part - 1"),
        ("force += (0, 0, 1)", "force += (0, 0, 1)"),
        ("drag: a.b[i].force +=\n  c", "drag: a.b[i].force += c"),
        ("c: Car", "thing c: Car"),
        ("c: Car(1, 2) { mass = 3 }", "thing c: Car(1, 2) { mass = 3 }"),
        ("light: lamp {}", "thing light: lamp"),
        ("link for pairs (a, b) in wheels { k = 1 }", "link for (a, b) in wheels { k = 1 }"),
    ] {
        assert_eq!(members(text), [expected], "{text}");
    }
    assert_eq!(members("x: [m]; y: vec [m]\n x == |y|"), ["x: real [m]", "y: vec [m]", "x == |y|"]);
}

#[test]
fn statements_keep_their_words_in_kinds() {
    let text =
        "always -x == y\ninitially -x == y\npotential = k * x^2\nforce on b = f\nlet a = 1\nfn f(x) = x\nparam p = 2";
    assert_eq!(members(text), ["always", "initially", "potential", "force", "let", "function", "param"]);
}

#[test]
fn words_of_theories_are_free_elsewhere() {
    let text = "param kind = 1\nlet law = theory + connection\nlet assuming = constant * sum * vec\nlet pairs = real[sum]\n\
                kind: law { theory = 1 }\nassuming: [m]\nkind.x += 3";
    assert_eq!(tree(text).items.len(), 7);
    assert_eq!(members("law == kind * connection\ntheory: [m]\nscene == 1").len(), 3);
}

#[test]
fn laws_are_for_all_things_of_a_kind_or_of_several() {
    let heads = |text: &str| describe(&only_item(text));
    assert_eq!(heads("law l for p: q { p.x == 1 }"), "law l(p: q)");
    assert_eq!(heads("law l(p: q) {}"), "law l(p: q)");
    assert_eq!(heads("law l for p: q assuming p.x > 0\n{\n}"), "law l(p: q) assuming p.x > 0");
    let text = "law lift(s: foil,\n  f: fluid)\n  assuming s.speed > 0 and f.still is s\n{ s.lift == (0, 0, 0) }";
    assert_eq!(heads(text), "law lift(s: foil, f: fluid) assuming s.speed > 0 and f.still is s");
    assert_eq!(heads("kind a\n  is b\n{ }"), "kind a is b");
}

#[test]
fn spans_cover_what_they_name() {
    let text = "kind a(start: vec [deg] = b) {\n  mass: constant vec [kg] in [0, 1] = 2\n  p[1]: q(3)\n}";
    let tree = tree(text);
    let ItemKind::Kind(kind) = &tree.items[0].kind else { panic!() };
    assert_eq!(&text[kind.parameters[0].span.range()], "start: vec [deg] = b");
    let ParameterType::Quantity(type_) = &kind.parameters[0].type_ else { panic!() };
    assert_eq!(&text[type_.span.range()], "vec [deg]");
    assert_eq!(&text[kind.members[0].span.range()], "mass: constant vec [kg] in [0, 1] = 2");
    let ItemKind::Quantity(quantity) = &kind.members[0].kind else { panic!() };
    assert_eq!(&text[quantity.type_.span.range()], "constant vec [kg]");
    assert_eq!(quantity.range.as_ref().map(|range| &text[range.span.range()]), Some("[0, 1]"));
    let ItemKind::Thing(thing) = &kind.members[1].kind else { panic!() };
    assert_eq!((&text[thing.name.span.range()], &text[thing.kind.span.range()]), ("p[1]", "q"));
}

#[test]
fn joints_and_bodies_by_their_shape() {
    assert_eq!(
        members(
            "join elbow[i]: upper.point(0, 0, -l) to lower with revolute { axis = (1, 0, 0) }\njoin a to b with weld"
        ),
        ["join elbow[i]: upper.point(0, 0, -l) to lower with revolute { axis = (1, 0, 0) }", "join a to b with weld"]
    );
    assert_eq!(
        members("body bob: sphere(r) density rho\nbody rod: box(a, b, c) mass 1 [kg] { rotation = about x free }"),
        [
            "body bob { shape = sphere(r); density = rho; position = free; rotation = free }",
            "body rod { shape = box(a, b, c); mass = 1 [kg]; rotation = about x free; position = free }"
        ]
    );
    let several = "body link[1..3]: box(a, b, c) density rho { position = (0, 0, free); rotation = free }";
    assert!(members(several)[0].starts_with("for { body link[#] { shape = box(a, b, c)"), "{:?}", members(several));
}

#[test]
fn contacts_name_two_sides_or_all() {
    assert_eq!(
        members(
            "contact ball[i], cart.load { restitution = 0.8; friction = 0.3 }\ncontact all { together }\n\
             contact a, all\ncontact none\ncontact none between a, b\ncontact none, all { friction = 1 }"
        ),
        [
            "contact ball[i], cart.load { restitution = 0.8; friction = 0.3 }",
            "contact all, alltogether",
            "contact a, all",
            "contact none all, all",
            "contact none a, b",
            "contact none, all { friction = 1 }"
        ]
    );
}

#[test]
fn shapes_have_places() {
    assert_eq!(
        members("frame f { shape = box(a, b, c) at (0, 0, 1) [m] turned about y 30 [deg]; shape = rod(l) }"),
        ["frame"]
    );
    assert_eq!(
        members("body f: rod(l) turned about x 90 [deg] at p mass 1 [kg] { position = free; rotation = free }"),
        ["body f { shape = rod(l) turned about x 90 [deg] at p; mass = 1 [kg]; position = free; rotation = free }"]
    );
}

/// Who has a connection, a frame or a quantity of that name goes on having it.
#[test]
fn contact_is_a_name_elsewhere() {
    assert_eq!(
        members(
            "contact: [m]\ncontact == 2 * a\ncontact.x == 1\ncontact for pairs (a, b) in plates\n\
             joint: contact(a, b)\nf += contact(a, b).force"
        ),
        [
            "contact: real [m]",
            "contact == 2 * a",
            "contact.x == 1",
            "contact for (a, b) in plates",
            "thing joint: contact(a, b)",
            "f += contact(a, b).force"
        ]
    );
}
