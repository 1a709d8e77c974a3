//! The models of Han and Gelsey, and mechanics that is composed of fragments.

use crate::{asked, close, example};

/// Table 1 of Han and Gelsey: unknowns, and instances of Newton2, Euler, Springforce1, Springforce2, FDrag, Lift and Lift_at_zero_speed.
#[test]
fn the_five_models_of_the_paper_have_its_counts() {
    let laws = ["newton", "euler", "spring_force_1", "spring_force_2", "drag", "lift", "no_lift"];
    for (scene, question, differential, unknowns, counts) in [
        ("sailboat", "", false, 3, [1, 0, 0, 0, 2, 2, 0]),
        ("sailboat", "find boat.speed over 300 [s]", true, 3, [1, 0, 0, 0, 2, 2, 1]),
        ("spring_block_1", "find b1.position over 10 [s]", true, 12, [1, 1, 0, 1, 0, 0, 0]),
        ("spring_block_2", "find b1.position over 10 [s]", true, 24, [2, 2, 1, 1, 0, 0, 0]),
        ("spring_block_3", "find b[1].position over 6 [s]", true, 36, [3, 3, 2, 2, 0, 0, 0]),
    ] {
        let (answers, found) = asked(&format!("{}\n{question}\n", example(scene)), &[], &[]);
        assert!(found.is_empty() && answers.dead_ends.is_empty(), "{scene}: {found:?}");
        let model = answers.compositions.iter().find(|it| it.differential == differential).expect("a model");
        assert_eq!(model.unknowns, unknowns, "{scene}");
        let count = |law: &str| model.laws.iter().find(|(name, _)| name == law).map_or(0, |(_, count)| *count);
        assert_eq!(laws.map(count), counts, "{scene}");
        assert_eq!(
            model.laws.iter().map(|(_, count)| count).sum::<usize>(),
            counts.iter().sum::<usize>(),
            "and no other law"
        );
    }
}

#[test]
fn damping_takes_energy_and_without_it_none_is_lost() {
    for scene in ["spring_block_1", "spring_block_2"] {
        let text = format!("{}\nfind energy over 10 [s]\nfind max energy over 1e-9 [s]\n", example(scene));
        let (damped, _) = asked(&text, &[], &[]);
        let [end, start] = &damped.answers[..] else { panic!("{damped:?}") };
        assert!(end.value[0] < 0.99 * start.value[0], "{scene}: {} of {}", end.value[0], start.value[0]);
        let (free, _) = asked(&text, &["damping=0"], &[]);
        close(free.answers[0].value[0], free.answers[1].value[0], 1e-8);
    }
}

/// The middle of three blocks is where the scene is mirrored, so it does not turn; the others do.
#[test]
fn the_ends_of_a_row_of_blocks_turn_and_the_middle_does_not() {
    let text = example("spring_block_3");
    let text = format!("{text}\nfind |b[1].omega|, |b[2].omega|, |b[3].omega| over 3 [s]\n");
    let (answers, found) = asked(&text, &[], &[]);
    assert!(found.is_empty(), "{found:?} {:?}", answers.dead_ends);
    let [first, middle, last] = &answers.answers[..] else { panic!("{answers:?}") };
    assert!(first.value[0] > 0.1 && middle.value[0] < 1e-6, "{first:?} {middle:?}");
    close(first.value[0], last.value[0], 1e-6);
}

/// By symmetry the middle of three blocks does not turn without damping either.
#[test]
fn without_damping_the_middle_block_does_not_turn() {
    let text = format!("{}\nfind |b[1].omega|, |b[2].omega| over 3 [s]\n", example("spring_block_3"));
    let (answers, found) = asked(&text, &["damping=0"], &[]);
    assert!(found.is_empty(), "{found:?} {:?}", answers.dead_ends);
    assert!(answers.answers[0].value[0] > 0.1 && answers.answers[1].value[0] < 1e-6, "{:?}", answers.answers);
}

/// The middle block of three turns where one of its springs is damped and the other is not; undamped, both are alike, and it does not.
/// With both damped alike the scene is its own mirror image, so that it does not turn either (see `docs/tutorial/questions.md`).
#[test]
fn the_middle_block_turns_where_damping_breaks_the_symmetry() {
    let text =
        example("spring_block_3").replace("damping = damping;", "damping = if i == 1 then damping else 0 [N*s/m];");
    let text = format!("{text}\nfind max |b[2].omega| over 3 [s]\n");
    let turns = |damping: &str| {
        let (answers, found) = asked(&text, &[damping], &[]);
        assert!(found.is_empty(), "{found:?} {:?}", answers.dead_ends);
        answers.answers[0].value[0]
    };
    assert!(turns("damping=0.1") > 1e-3, "{}", turns("damping=0.1"));
    assert!(turns("damping=0") < 1e-6);
}

/// Rigid bodies, particles and blocks on springs are moved by one law, `newton`; hinges add to the same sums as weights do.
#[test]
fn rigid_bodies_are_composed_of_the_same_fragments() {
    let (answers, found) =
        asked(&format!("{}\nfind block[1].position over 1 [s]\n", example("hinged_blocks")), &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    let counts = [("newton", 2), ("euler", 2), ("virtual_work", 1), ("virtual_work_of_pins", 1)];
    assert_eq!(
        answers.compositions[0].laws.iter().map(|(name, count)| (name.as_str(), *count)).collect::<Vec<_>>().len(),
        4
    );
    for (law, count) in counts {
        assert!(answers.compositions[0].laws.contains(&(law.to_string(), count)), "{:?}", answers.compositions);
    }
    let mixed = "use rigid_bodies\nuse springs\nuse particles\n\
                 slab: parallelepiped((1, 2, 3) [m]) { density = 100 [kg/m^3] }\nw: weight(slab) { strength = 4 [m/s^2] }\n\
                 initially slab.position == (0, 0, 0) [m]\ninitially slab.velocity == (0, 0, 0) [m/s]\n\
                 initially slab.orientation == quaternion(1, 0, 0, 0)\ninitially slab.omega == (0, 0, 0) [rad/s]\n\
                 p: particle { mass = 2 [kg] }\ninitially p.position == (0, 0, 0) [m]\ninitially p.velocity == (1, 0, 0) [m/s]\n\
                 law pull for q: particle { q.force += (0, 6, 0) [N] }\nfind slab.position.z, p.position.y over 3 [s]\n";
    let (answers, found) = asked(mixed, &[], &[]);
    assert!(found.is_empty(), "{found:?}");
    close(answers.answers[0].value[0], -18.0, 1e-9);
    close(answers.answers[1].value[0], 13.5, 1e-9);
    assert!(answers.compositions[0].laws.contains(&("newton".to_string(), 2)), "{:?}", answers.compositions);
}
