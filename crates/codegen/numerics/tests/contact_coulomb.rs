//! Forces and impulses of points that touch, against closed forms, enumeration of all states, and laws.

#![allow(clippy::disallowed_methods, reason = "what is compared with a tolerance may come from the platform")]
#![allow(non_snake_case, reason = "matrices have their names from the literature")]

mod bench;
mod coulomb;

use coulomb::{Body, Kind, Problem, Scene, diagonal, solve_all};

const HOLD: Kind = Kind::Hold;
const SOLVE: Kind = Kind::Solve;
const IMPACT: Kind = Kind::Impact;

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-300_f64, |largest, value| largest.max(value.abs()));
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance * scale, "{found:?} is not {expected:?}");
    }
}

#[track_caller]
fn vanish(found: &[f64], tolerance: f64) {
    assert!(found.iter().all(|found| found.abs() <= tolerance), "{found:?} does not vanish");
}

/// The normal components of forces or results.
fn normals(rows: &[f64]) -> Vec<f64> {
    rows.iter().copied().step_by(3).collect()
}

/// A box of mass 2 and half edges 1, 0.5, 0.25 on the floor, on its four corners.
fn block(friction: f64) -> (Scene, Vec<[f64; 3]>) {
    let mut scene = Scene::new();
    let body = scene.body(Body::block(2.0, [1.0, 0.5, 0.25], [0.0, 0.0, 0.25]));
    let corners = [[1.0, 0.5, 0.0], [1.0, -0.5, 0.0], [-1.0, 0.5, 0.0], [-1.0, -0.5, 0.0]];
    corners.iter().for_each(|&corner| scene.touch(None, Some(body), corner, [0.0, 0.0, 1.0], friction));
    (scene, corners.to_vec())
}

#[test]
fn nothing_touches() {
    let answers = solve_all(&[(Problem::default(), HOLD), (Problem::default(), SOLVE), (Problem::default(), IMPACT)]);
    assert!(answers.iter().all(|answer| answer.status == 0));
}

#[test]
fn a_ball_rests_and_one_that_is_pulled_away_opens() {
    let mut scene = Scene::new();
    let ball = scene.body(Body::block(3.0, [0.1; 3], [0.0, 0.0, 0.1]));
    scene.touch(None, Some(ball), [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], 0.0);
    let rests = scene.accelerations(&[[0.5, 0.0, -9.81, 0.0, 0.0, 0.0]]);
    let flies = scene.accelerations(&[[0.5, 0.0, 9.81, 0.0, 0.0, 0.0]]);
    let answers = solve_all(&[(rests, SOLVE), (flies, SOLVE)]);
    assert_eq!((answers[0].status, &answers[0].state[..]), (0, &[2][..]));
    close(&answers[0].force, &[3.0 * 9.81, 0.0, 0.0], 1e-15);
    vanish(&answers[0].result[..1], 1e-15);
    assert_eq!((answers[1].status, &answers[1].state[..]), (0, &[0][..]));
    assert_eq!(answers[1].force, [0.0; 3]);
}

/// Twelve rows of rank six: the weight is shared, and so is the push on the side.
#[test]
fn a_block_is_held_by_the_least_forces_of_four_corners() {
    let (scene, corners) = block(0.5);
    let mut held = scene.accelerations(&[[1.0, 0.5, -9.81, 0.0, 0.0, 0.0]]);
    held.state = vec![3; 4];
    let answers = solve_all(&[(held.clone(), HOLD), (held, SOLVE)]);
    for answer in &answers {
        assert_eq!((answer.status, &answer.state[..]), (0, &[3; 4][..]));
        vanish(&answer.result, 1e-13);
        // The least norm with given sums and moments is linear in the place: N = m g / 4 + moments about x and y.
        for (i, corner) in corners.iter().enumerate() {
            let world = scene.force_in_the_world(i, &answer.force);
            let normal = 2.0 * 9.81 / 4.0 + 0.25 * 2.0 * (1.0 * corner[0] + 0.5 * corner[1] / 0.25) / 4.0;
            close(&world, &[-0.5, -0.25, normal], 1e-13);
        }
    }
}

#[test]
fn a_block_without_friction_tips_over_two_corners() {
    let (scene, _) = block(0.0);
    // A moment about y that lifts the corners at x = -1.
    let tips = scene.accelerations(&[[0.0, 0.0, -9.81, 0.0, 40.0, 0.0]]);
    let answers = solve_all(&[(tips, SOLVE)]);
    assert_eq!((answers[0].status, &answers[0].state[..]), (0, &[2, 2, 0, 0][..]));
    // About the edge at x = 1: N total from m g and the moment, by hand.
    let inertia = 2.0 / 3.0 * (1.0 + 0.0625);
    let total = (9.81 + 40.0) / (0.5 + 1.0 / inertia);
    close(&normals(&answers[0].force), &[total / 2.0, total / 2.0, 0.0, 0.0], 1e-13);
}

/// The least forces of all would pull at the fourth corner; within N ≥ 0 it is left out, though it is held.
#[test]
fn a_corner_without_load_touches() {
    let (scene, _) = block(0.0);
    // The weight, at x = 0.6 and y = 0.4.
    let weight = 19.62;
    let loaded = scene.loads(&[[0.0, 0.0, -weight, -0.4 * weight, 0.6 * weight, 0.0]]);
    let answers = solve_all(&[(loaded.clone(), SOLVE)]);
    assert_eq!(answers[0].status, 0);
    assert!(normals(&answers[0].force).iter().all(|&normal| normal >= 0.0), "{:?}", answers[0]);
    vanish(&normals(&answers[0].result), 1e-13);
    assert_eq!(answers[0].state.iter().filter(|&&state| state == 1).count(), 1, "{:?}", answers[0]);
    // What is held so is held by `hold` with the same forces.
    let again = Problem { state: answers[0].state.clone(), ..loaded };
    close(&solve_all(&[(again, HOLD)])[0].force, &answers[0].force, 1e-13);
}

#[test]
fn a_single_point_sticks_slides_or_opens() {
    // A point mass: each direction by itself.
    let point = |b: [f64; 3], friction| Problem::of(&diagonal(&[0.5; 3]), &b, &[friction]);
    let answers = solve_all(&[
        (point([-2.0, 0.3, 0.4], 0.5), SOLVE),
        (point([-2.0, 3.0, 4.0], 0.5), SOLVE),
        (point([1.0, 3.0, 4.0], 0.5), SOLVE),
    ]);
    assert_eq!(answers.iter().map(|answer| answer.state[0]).collect::<Vec<_>>(), [3, 2, 0]);
    close(&answers[0].force, &[4.0, -0.6, -0.8], 1e-15);
    close(&answers[1].force, &[4.0, -1.2, -1.6], 1e-15);
    close(&answers[1].direction, &[0.6, 0.8], 1e-15);
    close(&answers[1].result, &[0.0, 2.4, 3.2], 1e-15);
}

/// For slip in a known direction the pivot W_nn − μ W_nt·d decides. Where it is negative, what is pushed together has no force, and what
/// is not opens.
#[test]
fn a_pivot_that_is_not_positive_is_painleves_paradox() {
    let problem = |b: f64, friction: f64| {
        let mut problem = Problem::of(&[1.0, 0.8, 0.0, 0.8, 1.0, 0.0, 0.0, 0.0, 1.0], &[b, 0.0, 0.0], &[friction]);
        (problem.slips, problem.direction) = (vec![1], vec![1.0, 0.0]);
        (problem, SOLVE)
    };
    let answers = solve_all(&[problem(-1.0, 1.0), problem(-1.0, 1.5), problem(1.0, 1.5)]);
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [0, 1, 0]);
    close(&answers[0].force, &[5.0, -5.0, 0.0], 1e-14);
    assert_eq!(answers[2].state, [0]);
}

#[test]
fn a_ball_bounces_with_its_restitution() {
    let mut problem = Problem::of(&diagonal(&[0.5; 3]), &[-2.0, 1.0, 0.0], &[0.1]);
    problem.restitution = vec![0.75];
    let answer = &solve_all(&[(problem, IMPACT)])[0];
    assert_eq!((answer.status, answer.limited), (0, 1.0));
    close(&answer.result, &[1.5, 1.0 - 0.1 * 3.5, 0.0], 1e-15);
}

/// A row of touching balls: together, the law of Newton holds for each pair that approached, and no other pair is pulled.
#[test]
fn a_cradle_is_struck_together() {
    let mut scene = Scene::new();
    let balls: Vec<usize> = (0..3).map(|i| scene.body(Body::block(1.0, [0.5; 3], [f64::from(i), 0.0, 0.0]))).collect();
    for i in 0..2 {
        scene.touch(Some(balls[i]), Some(balls[i + 1]), [i as f64 + 0.5, 0.0, 0.0], [1.0, 0.0, 0.0], 0.0);
    }
    let mut problem = scene.accelerations(&[[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0; 6], [0.0; 6]]);
    problem.restitution = vec![1.0; 2];
    let answer = &solve_all(&[(problem, IMPACT)])[0];
    assert_eq!(answer.status, 0);
    // Speeds -1/3, 2/3, 2/3.
    close(&[answer.result[0], answer.result[3]], &[1.0, 0.0], 1e-14);
}
