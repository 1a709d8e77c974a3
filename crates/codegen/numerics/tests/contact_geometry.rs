//! The geometry of contact: laws for every pair of kinds of shapes that are supported, and closed forms.

#[path = "bench/mod.rs"]
mod bench;
#[path = "contact_geometry/oracle.rs"]
mod oracle;
#[path = "contact_geometry/over_surfaces.rs"]
mod over_surfaces;
#[path = "contact_geometry/random.rs"]
mod random;
#[path = "contact_geometry/scene.rs"]
mod scene;

use numerics::contact::{AS_THE_WORLD, MOVES, STILL, ShapeKind, WITH_FIRST, WITH_SECOND, supported};
use oracle::distance_bounds;
use random::Random;
use scene::{
    Found, HERE, Pose, REST, Scene, Shape, Twist, Vector, add, cross, dot, length, minus, times, with_shapes,
    with_shapes_fast, with_still_shapes,
};

const KINDS: [ShapeKind; 11] = [
    ShapeKind::HalfSpace,
    ShapeKind::Sphere,
    ShapeKind::Rod,
    ShapeKind::Capsule,
    ShapeKind::Box,
    ShapeKind::Hull,
    ShapeKind::Cylinder,
    ShapeKind::Cone,
    ShapeKind::Ellipsoid,
    ShapeKind::Torus,
    ShapeKind::Surface,
];

/// Some poses of two shapes for each pair of kinds, in both orders: shapes 0, 1 and pairs (0, 1), (1, 0).
fn for_each_pair(cases: usize, law: impl Fn(&mut Scene, &[Shape; 2], &mut Random)) {
    for (i, &a) in KINDS.iter().enumerate() {
        for &b in &KINDS[i..] {
            if !supported(a, b) {
                continue;
            }
            let seed = (a as u64) * 100 + b as u64;
            let mut random = Random(seed);
            let shapes = [random.shape(a), random.shape(b)];
            with_shapes_fast(&shapes, &[[0, 1], [1, 0]], |scene| {
                let mut random = Random(seed + 1000);
                for _ in 0..cases {
                    law(scene, &shapes, &mut random);
                }
            });
        }
    }
}

fn two_poses(random: &mut Random) -> [Pose; 2] {
    [random.pose(1.0), random.pose(2.5)]
}

/// Poses at which the shapes are apart by more than a little.
fn apart(scene: &mut Scene, random: &mut Random) -> [Pose; 2] {
    loop {
        let poses = two_poses(random);
        scene.place(&poses);
        if scene.gap(0) > 0.02 {
            return poses;
        }
    }
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
}

#[track_caller]
fn assert_near(found: Vector, expected: Vector, tolerance: f64, what: &str) {
    assert!(length(minus(found, expected)) <= tolerance, "{what}: {found:?} is not {expected:?}");
}

fn names(shapes: &[Shape; 2]) -> String {
    format!("{:?} and {:?}", shapes[0].kind, shapes[1].kind)
}

/// Whether they are polytopes that are not rounded: far from one another these have no points.
fn are_sharp(shapes: &[Shape; 2]) -> bool {
    let is_sharp = |shape: &Shape| matches!(shape.kind, ShapeKind::Rod | ShapeKind::Box | ShapeKind::Hull);
    shapes.iter().all(is_sharp)
}

/// Behind a surface feet are not unique, and it is told only that something is there.
fn is_deep(scene: &mut Scene, shapes: &[Shape; 2]) -> bool {
    shapes[1].kind == ShapeKind::Surface && scene.gap(0) <= 0.0
}

#[test]
fn the_distance_is_what_another_way_finds() {
    for_each_pair(12, |scene, shapes, random| {
        let poses = apart(scene, random);
        if shapes.iter().any(|shape| shape.kind == ShapeKind::Torus) {
            return;
        }
        let (low, high) = distance_bounds([&shapes[0], &shapes[1]], [&poses[0], &poses[1]]);
        let gap = scene.gap(0);
        assert!(high - low < 1e-6, "the bounds are no good: {low}, {high}");
        assert!(low - 1e-12 <= gap && gap <= high + 1e-12, "{}: {gap} is not {low} to {high}", names(shapes));
        let (lower, n) = scene.distance(0);
        assert!(lower > 0.0 && lower <= scene.gap(0) + 1e-12, "{}", names(shapes));
        assert_close(length(n), 1.0, 1e-12, "the direction is a unit vector");
        let along = oracle::separation([&shapes[0], &shapes[1]], [&poses[0], &poses[1]], n);
        if shapes[1].kind == ShapeKind::Surface {
            // What is far is told of a ball around it.
            return assert!(along >= lower - 1e-9, "{}: along the direction", names(shapes));
        }
        assert_close(along, lower, 1e-9, &format!("{}: along the direction", names(shapes)));
    });
}

/// A torus is made of spheres, whose centres are on a circle.
#[test]
fn a_torus_is_as_near_as_the_nearest_of_its_spheres() {
    for_each_pair(6, |scene, shapes, random| {
        if shapes[1].kind != ShapeKind::Torus {
            return;
        }
        let poses = apart(scene, random);
        let gap = scene.gap(0);
        let balls = |torus: &Shape| -> Vec<Shape> {
            let [major, minor, _] = torus.sizes;
            let ball = |k: i32| {
                let angle = f64::from(k) * std::f64::consts::PI / 200.0;
                let centre = [major * libm::cos(angle), major * libm::sin(angle), 0.0];
                let place = Pose::at(centre).within(&torus.place);
                Shape { kind: ShapeKind::Sphere, sizes: [minor, 0.0, 0.0], place, hull: None }
            };
            (0..400).map(ball).collect()
        };
        let to_ball = |ball: Shape| match shapes[0].kind {
            ShapeKind::Torus => {
                let far = |other: &Shape| {
                    let [p, q] = [(&other, 0), (&&ball, 1)].map(|(ball, k)| ball.place.within(&poses[k]).origin);
                    length(minus(p, q)) - other.sizes[0] - ball.sizes[0]
                };
                balls(&shapes[0]).iter().map(far).fold(f64::INFINITY, f64::min)
            }
            _ => distance_bounds([&shapes[0], &ball], [&poses[0], &poses[1]]).0,
        };
        let nearest = balls(&shapes[1]).into_iter().map(to_ball).fold(f64::INFINITY, f64::min);
        assert!(gap <= nearest + 1e-9 && nearest <= gap + 1e-4, "{}: {gap} is not {nearest}", names(shapes));
    });
}

#[test]
fn machines_agree() {
    for (i, &a) in KINDS.iter().enumerate() {
        for &b in KINDS[i..].iter().filter(|&&b| supported(a, b)) {
            let mut random = Random(77);
            let shapes = [random.shape(a), random.shape(b)];
            with_shapes(&shapes, &[[0, 1]], |scene| {
                let mut random = Random(78);
                for _ in 0..2 {
                    scene.place(&two_poses(&mut random));
                    scene.set_twists(&[random.twist(), random.twist()]);
                    scene.distance(0);
                    scene.detect(0, 10.0);
                }
            });
        }
    }
}

#[test]
fn exchanging_the_shapes_turns_the_normal() {
    for_each_pair(10, |scene, shapes, random| {
        let poses = two_poses(random);
        scene.place(&poses);
        scene.set_twists(&[random.twist(), random.twist()]);
        if is_deep(scene, shapes) {
            return;
        }
        let ((gap, n), (other, m)) = (scene.distance(0), scene.distance(1));
        assert_close(gap, other, 1e-12, &names(shapes));
        assert_near(n, times(m, -1.0), 1e-7, &names(shapes));
        let (mut straight, mut turned) = (scene.detect(0, 10.0), scene.detect(1, 10.0));
        assert_eq!(straight.len(), turned.len(), "{}", names(shapes));
        let order = |a: &Found, b: &Found| a.point.partial_cmp(&b.point).expect("numbers");
        straight.sort_by(order);
        turned.sort_by(order);
        for (a, b) in straight.iter().zip(&turned) {
            assert_close(a.gap, b.gap, 1e-12, &names(shapes));
            assert_near(a.normal, times(b.normal, -1.0), 1e-10, &names(shapes));
            assert_near(a.point_rate, b.point_rate, 1e-6, &names(shapes));
        }
    });
}

#[test]
fn rigid_motions_of_everything_change_nothing() {
    for_each_pair(10, |scene, shapes, random| {
        let poses = two_poses(random);
        let outer = random.pose(1.0);
        scene.place(&poses);
        let (gap, n) = scene.distance(0);
        let before = scene.detect(0, 10.0);
        scene.place(&poses.map(|pose| pose.within(&outer)));
        let (moved, m) = scene.distance(0);
        assert_close(gap, moved, 1e-11, &names(shapes));
        assert_near(m, scene::turn(outer.axes, n), 1e-7, &names(shapes));
        let after = scene.detect(0, 10.0);
        assert_eq!(before.len(), after.len(), "{}", names(shapes));
        for (a, b) in before.iter().zip(&after) {
            assert_eq!(a.feature, b.feature, "{}", names(shapes));
            assert_close(a.gap, b.gap, 1e-11, &names(shapes));
            assert_close(a.margin, b.margin, 1e-9 * (1.0 + a.margin.abs()), &names(shapes));
            assert_near(outer.point(a.point), b.point, 1e-8, &names(shapes));
        }
    });
}

/// What is beside something that never moves is found without asking how that moves, and is the same.
#[test]
fn what_never_moves_is_what_is_at_rest() {
    for (i, kind) in KINDS.into_iter().enumerate().filter(|&(_, kind)| supported(ShapeKind::HalfSpace, kind)) {
        let mut random = Random(91 + i as u64);
        let shapes = [random.shape(ShapeKind::HalfSpace), random.shape(kind)];
        let [somewhere, other] = two_poses(&mut random);
        let moving = random.twist();
        for (still, pose) in [(STILL, somewhere), (AS_THE_WORLD, HERE)] {
            let found = [MOVES, still].map(|still| {
                with_still_shapes(&shapes, &[[0, 1]], &[still, MOVES], |scene| {
                    scene.place(&[pose, other]);
                    scene.set_twists(&[REST, moving]);
                    let found = scene.detect(0, 10.0);
                    found.iter().map(|found| scene.evaluate(found.slot)).collect::<Vec<Found>>()
                })
            });
            let [at_rest, never] = &found;
            assert_eq!(at_rest.len(), never.len(), "{}", names(&shapes));
            for (a, b) in at_rest.iter().zip(never) {
                assert_close(a.gap, b.gap, 1e-15, &names(&shapes));
                let vectors = [a.normal, a.point, a.normal_rate, a.point_rate].into_iter();
                let others = [b.normal, b.point, b.normal_rate, b.point_rate];
                vectors.zip(others).for_each(|(a, b)| assert_near(a, b, 1e-14, &names(&shapes)));
            }
        }
    }
}

/// The rates of a point are those of differences.
fn assert_rates(scene: &mut scene::Scene, poses: &[Pose; 2], twists: &[Twist; 2], now: &Found, name: &str) {
    let step = 1e-5;
    let mut at = |time: f64| {
        scene.place(&[0, 1].map(|k| poses[k].moved(&twists[k], time)));
        scene.evaluate(now.slot)
    };
    let (before, after) = (at(-step), at(step));
    let rate = |a: Vector, b: Vector| times(minus(b, a), 0.5 / step);
    // Lines that are nearly parallel cross far away, where everything is fast.
    let size = 1.0 + length(now.point_rate) + length(now.normal_rate);
    let tolerance = 1e-7 * size * size * size;
    assert_near(rate(before.normal, after.normal), now.normal_rate, tolerance, name);
    assert_near(rate(before.point, after.point), now.point_rate, tolerance, name);
    let half = times(now.normal, 0.5 * now.gap);
    let velocity = |k: usize, p: Vector| add(twists[k].v, cross(twists[k].w, minus(p, poses[k].origin)));
    let u = minus(velocity(1, add(now.point, half)), velocity(0, minus(now.point, half)));
    assert_close((after.gap - before.gap) * 0.5 / step, dot(now.normal, u), tolerance, name);
}

#[test]
fn rates_are_those_of_differences() {
    for_each_pair(10, |scene, shapes, random| {
        let poses = apart(scene, random);
        let twists = [random.twist(), random.twist()];
        scene.set_twists(&twists);
        let found = scene.detect(0, 10.0);
        assert!(!found.is_empty() || are_sharp(shapes), "{}", names(shapes));
        for now in found {
            assert_rates(scene, &poses, &twists, &now, &names(shapes));
        }
    });
}

#[test]
fn distances_change_no_faster_than_places() {
    for_each_pair(20, |scene, shapes, random| {
        let mut poses = apart(scene, random);
        let gap = scene.gap(0);
        let by = random.vector(0.5);
        poses[1].origin = add(poses[1].origin, by);
        scene.place(&poses);
        let moved = scene.gap(0);
        if moved > 0.0 {
            assert!((moved - gap).abs() <= length(by) + 1e-12, "{}: {gap}, {moved}", names(shapes));
        }
    });
}

#[test]
fn the_nearest_feature_has_the_distance() {
    for_each_pair(20, |scene, shapes, random| {
        if are_sharp(shapes) {
            return;
        }
        apart(scene, random);
        let gap = scene.gap(0);
        let found = scene.detect(0, 10.0);
        let least = found.iter().map(|found| found.gap).fold(f64::INFINITY, f64::min);
        assert_close(least, gap, 1e-9, &names(shapes));
        let nearest = found.iter().filter(|found| found.gap <= least + 1e-9);
        assert!(nearest.clone().all(|found| found.margin > 0.0), "{}: {found:?}", names(shapes));
        let touching = scene.detect(0, 0.5 * gap);
        assert!(touching.is_empty(), "{}", names(shapes));
    });
}

#[test]
fn shapes_that_touch_have_points_within_their_features() {
    for_each_pair(30, |scene, shapes, random| {
        let poses = apart(scene, random);
        scene.set_twists(&[random.twist(), random.twist()]);
        let way = if shapes[0].kind == ShapeKind::HalfSpace {
            times(scene.distance(0).1, -3.0)
        } else {
            let centre = |k: usize| shapes[k].place.within(&poses[k]).origin;
            minus(centre(0), centre(1))
        };
        let at = |part: f64| [poses[0], Pose { origin: add(poses[1].origin, times(way, part)), ..poses[1] }];
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            scene.place(&at(middle));
            *(if scene.distance(0).0 > 0.0 { &mut low } else { &mut high }) = middle;
        }
        // Thin rods pass through one another.
        if low > 0.999999 {
            return;
        }
        scene.place(&at(low));
        let (gap, n) = scene.distance(0);
        assert_close(gap, 0.0, 1e-12, &names(shapes));
        let found = scene.detect(0, 1e-10);
        assert!(!found.is_empty(), "{}", names(shapes));
        for found in found {
            assert!(found.margin > 0.0 && found.gap.abs() <= 1e-10, "{}: {found:?}", names(shapes));
            assert_near(found.normal, n, 1e-6, &names(shapes));
        }
    });
}

/// Boxes that all but lie on one another, face to face, edge to edge or corner to corner: whatever rounding does to their axes, points are found
/// where they touch, none of which is at its end.
#[test]
fn boxes_that_all_but_lie_flat_have_points() {
    let shapes = [shape(ShapeKind::Box, [0.4, 0.3, 0.2]), shape(ShapeKind::Box, [0.25, 0.3, 0.35])];
    with_shapes_fast(&shapes, &[[0, 1]], |scene| {
        let mut random = Random(7);
        for turn in quarter_turns().into_iter().cycle().take(480) {
            let tilt = [0.0, 1e-13, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2][random.between(0.0, 7.0) as usize];
            let small = scene::rotation(random.vector(tilt));
            let turned = if random.between(0.0, 1.0) < 0.5 { scene::STRAIGHT } else { random.axes() };
            // Sides may be flush, and corners beside one another.
            let place = [0, 1, 2].map(|_| [0.0, 0.05, 0.15, 0.55, 0.65, 0.7][random.between(0.0, 6.0) as usize]);
            let mut poses = [
                Pose { origin: [0.0; 3], axes: turned },
                Pose { origin: scene::turn(turned, place), axes: scene::product(scene::product(small, turned), turn) },
            ];
            scene.set_twists(&[REST, Twist { v: random.vector(1.0), w: random.vector(1.0) }]);
            for _ in 0..3 {
                scene.place(&poses);
                let (gap, n) = scene.distance(0);
                poses[1].origin = minus(poses[1].origin, times(n, gap));
            }
            scene.place(&poses);
            let (gap, _) = scene.distance(0);
            assert_close(gap, 0.0, 1e-12, "they touch");
            let found = scene.detect(0, 1e-10);
            assert!(!found.is_empty(), "tilted by {tilt}: {poses:?}");
            for found in found {
                assert!(found.margin > 0.0 && found.gap > -1e-10, "tilted by {tilt}: {found:?}");
            }
        }
    });
}

/// Cans that all but stand on one another, over the middle, beside it or beyond a rim: their distance is found however little they tilt, and so
/// are points where they touch.
#[test]
fn cans_that_all_but_stand_on_one_another_have_points() {
    let shapes = [shape(ShapeKind::Cylinder, [0.17, 0.16, 0.0]), shape(ShapeKind::Cylinder, [0.13, 0.12, 0.0])];
    let offences = with_shapes_fast(&shapes, &[[0, 1]], |scene| {
        let (mut random, mut offences) = (Random(11), Vec::new());
        for case in 0..600 {
            let tilt = [1e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2][case % 9];
            let small = scene::rotation(random.vector(tilt));
            let turned = if random.between(0.0, 1.0) < 0.5 { scene::STRAIGHT } else { random.axes() };
            let (way, far) =
                (random.between(0.0, 6.3), [0.0, 0.02, 0.07, 0.15, 0.25][random.between(0.0, 5.0) as usize]);
            let place = [far * libm::cos(way), far * libm::sin(way), 0.28];
            let mut poses = [
                Pose { origin: [0.0; 3], axes: turned },
                Pose { origin: scene::turn(turned, place), axes: scene::product(small, turned) },
            ];
            scene.set_twists(&[REST, Twist { v: random.vector(1.0), w: random.vector(1.0) }]);
            let name = format!("tilted by {tilt}, {far} off");
            offences.extend(offences_above(scene, &shapes, &mut poses, tilt, &name));
        }
        offences
    });
    assert!(offences.is_empty(), "{} offences\n{}", offences.len(), offences.join("\n"));
}

/// What is wrong with distances and points where the second shape is moved to some heights above the first, which it is tilted against.
fn offences_above(scene: &mut Scene, shapes: &[Shape; 2], poses: &mut [Pose; 2], tilt: f64, name: &str) -> Vec<String> {
    let mut offences = Vec::new();
    for height in [0.0, 1e-9, 1e-7, 1e-5] {
        for _ in 0..4 {
            scene.place(poses);
            let (gap, n) = scene.distance(0);
            poses[1].origin = minus(poses[1].origin, times(n, gap - height));
        }
        scene.place(poses);
        let (gap, n) = scene.distance(0);
        let (low, high) = distance_bounds([&shapes[0], &shapes[1]], [&poses[0], &poses[1]]);
        let along = oracle::separation([&shapes[0], &shapes[1]], [&poses[0], &poses[1]], n);
        if gap < low - 1e-12 || (along - gap).abs() > 1e-12 || (height > 0.0 && gap > high + 1e-12) {
            offences.push(format!("{name}, {height}: {gap} of {low} to {high}, along {along}"));
        }
        // A rim that lies flat is lower at one side than at the other, by less than anything is measured.
        let flat = if tilt < 5e-8 { 1e-9 } else { 0.0 };
        let found = scene.detect(0, height + 1e-12);
        if found.is_empty() {
            offences.push(format!("{name}, {height}: gap {gap} no points"));
        }
        for found in found {
            if found.margin <= 0.0 || found.gap < height - 1e-12 - flat {
                offences.push(format!("{name}, {height}: {found:?}"));
            }
        }
    }
    offences
}

/// A can that all but lies on the cap of another, over the middle or beyond the rim.
#[test]
fn a_can_that_all_but_lies_on_another_has_points() {
    let shapes = [shape(ShapeKind::Cylinder, [0.17, 0.16, 0.0]), shape(ShapeKind::Cylinder, [0.13, 0.12, 0.0])];
    let offences = with_shapes_fast(&shapes, &[[0, 1]], |scene| {
        let (mut random, mut offences) = (Random(11), Vec::new());
        for case in 0..600 {
            let tilt = [1e-9, 1e-8, 3e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2][case % 9];
            let small = scene::rotation(random.vector(tilt));
            let lying = scene::rotation([libm::acos(0.0), 0.0, 0.0]);
            let turned = if random.between(0.0, 1.0) < 0.5 { scene::STRAIGHT } else { random.axes() };
            let (way, far) =
                (random.between(0.0, 6.3), [0.0, 0.02, 0.07, 0.15, 0.25][random.between(0.0, 5.0) as usize]);
            let place = [far * libm::cos(way), far * libm::sin(way), 0.28];
            let mut poses = [
                Pose { origin: [0.0; 3], axes: turned },
                Pose { origin: scene::turn(turned, place), axes: scene::product(scene::product(small, turned), lying) },
            ];
            scene.set_twists(&[REST, Twist { v: random.vector(1.0), w: random.vector(1.0) }]);
            let name = format!("tilted by {tilt}, {far} off");
            offences.extend(offences_above(scene, &shapes, &mut poses, tilt, &name));
        }
        offences
    });
    assert!(offences.is_empty(), "{} offences\n{}", offences.len(), offences.join("\n"));
}

/// How much rates of heights can change: points of a body that turns steadily are accelerated towards its axis.
fn bend(scene: &mut Scene, shapes: &[Shape; 2], poses: &[Pose; 2], twists: &[Twist; 2], tau: f64) -> f64 {
    let is_plane = shapes[0].kind == ShapeKind::HalfSpace;
    let arm = |scene: &mut Scene, k: usize| length(shapes[k].place.origin) + scene.radius(k);
    let square = |k: usize| dot(twists[k].w, twists[k].w);
    if !is_plane {
        return square(0) * arm(scene, 0) + square(1) * arm(scene, 1);
    }
    // Heights over a plane that turns: n''·(p − q) + 2 n'·(p' − q') + n·(p'' − q''), where q is the frame's origin.
    let between = length(minus(poses[1].origin, poses[0].origin)) + arm(scene, 1);
    let speed = length(minus(twists[1].v, twists[0].v)) + length(twists[1].w) * arm(scene, 1);
    let place = length(shapes[0].place.origin);
    square(0) * (between + speed * tau + 2.0 * place) + 2.0 * length(twists[0].w) * speed + square(1) * arm(scene, 1)
}

/// What a direction that turns with one of two frames adds to how fast the rates of heights change.
fn swing(scene: &mut Scene, shapes: &[Shape; 2], poses: &[Pose; 2], twists: &[Twist; 2], tau: f64) -> f64 {
    let spins: f64 = twists.iter().map(|twist| length(twist.w)).sum();
    let arms: f64 = [0, 1].map(|k| length(shapes[k].place.origin) + scene.radius(k)).iter().sum();
    let speed = length(minus(twists[1].v, twists[0].v)) + spins * arms;
    let far = length(minus(poses[1].origin, poses[0].origin)) + speed * tau + arms;
    2.0 * spins * speed + spins * spins * far
}

#[test]
fn clearance_is_no_more_than_the_distance_later() {
    for_each_pair(20, |scene, shapes, random| {
        if shapes[1].kind == ShapeKind::Surface {
            return;
        }
        let poses = apart(scene, random);
        let twists = [random.twist(), random.twist()];
        scene.set_twists(&twists);
        let (gap, n) = scene.distance(0);
        if shapes[1].kind != ShapeKind::Torus {
            assert_close(scene.clearance(0, n, 0.0, 1.0, 0), gap, 1e-9, &names(shapes));
        }
        let taus = [0.0, 0.01, 0.1, 0.3];
        let bend = bend(scene, shapes, &poses, &twists, 0.3);
        let swing = swing(scene, shapes, &poses, &twists, 0.3);
        let is_plane = shapes[0].kind == ShapeKind::HalfSpace;
        // A direction that turns with the first of a pair turns with the second of the opposite pair.
        for (with, opposite) in [(0, 0), (WITH_FIRST, WITH_SECOND), (WITH_SECOND, WITH_FIRST)] {
            let bend = if with == 0 || is_plane { bend } else { bend + swing };
            let bounds = taus.map(|tau| scene.clearance(0, n, tau, bend, with));
            let turned = scene.clearance(1, times(n, -1.0), 0.1, bend, opposite);
            assert_close(turned, bounds[2], 1e-12, &names(shapes));
            for (tau, bound) in taus.into_iter().zip(bounds) {
                scene.place(&[0, 1].map(|k| poses[k].moved(&twists[k], tau)));
                let later = scene.gap(0);
                assert!(bound <= later.max(scene.distance(0).0) + 1e-9, "{} at {tau}: {bound}, {later}", names(shapes));
            }
            scene.place(&poses);
        }
    });
}

fn shape(kind: ShapeKind, sizes: Vector) -> Shape {
    Shape { kind, sizes, place: scene::HERE, hull: None }
}

#[test]
fn a_box_stands_on_its_corners() {
    let shapes = [shape(ShapeKind::HalfSpace, [0.0; 3]), shape(ShapeKind::Box, [1.0, 2.0, 3.0])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST, REST]);
        scene.place(&[scene::HERE, Pose::at([5.0, 0.0, 3.0])]);
        let found = scene.detect(0, 1e-9);
        let points: Vec<Vector> = found.iter().map(|found| found.point).collect();
        assert_eq!(points, [[4.0, -2.0, 0.0], [6.0, -2.0, 0.0], [4.0, 2.0, 0.0], [6.0, 2.0, 0.0]]);
        assert!(found.iter().all(|found| found.normal == [0.0, 0.0, 1.0] && found.gap == 0.0 && found.margin > 1e9));
        // From the other side.
        scene.set_sides(&[-1.0]);
        scene.place(&[scene::HERE, Pose::at([5.0, 0.0, -3.5])]);
        assert_eq!(scene.distance(0), (0.5, [-0.0, -0.0, -1.0]));
        assert_eq!(scene.detect(0, 1e-9).len(), 0);
        assert_eq!(scene.detect(0, 0.5).len(), 4);
    });
}

#[test]
fn parallel_capsules_touch_at_the_ends_of_their_overlap() {
    let shapes = [shape(ShapeKind::Capsule, [0.1, 1.0, 0.0]), shape(ShapeKind::Capsule, [0.2, 1.0, 0.0])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST, REST]);
        scene.place(&[scene::HERE, Pose::at([0.3, 0.0, 0.5])]);
        let found = scene.detect(0, 1e-9);
        let mut heights: Vec<f64> = found.iter().map(|found| found.point[2]).collect();
        heights.sort_by(f64::total_cmp);
        assert_eq!(heights, [-0.5, 1.0]);
        assert!(found.iter().all(|found| found.normal == [1.0, 0.0, 0.0] && found.gap.abs() < 1e-15));
        // Side by side two ends coincide, and count once.
        scene.place(&[scene::HERE, Pose::at([0.3, 0.0, 0.0])]);
        assert_eq!(scene.detect(0, 1e-9).len(), 2);
    });
}

#[test]
fn features_are_left_at_their_ends() {
    let shapes = [shape(ShapeKind::Sphere, [0.1, 0.0, 0.0]), shape(ShapeKind::Capsule, [0.2, 1.0, 0.0])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST, REST]);
        let at = |z: f64| [Pose::at([0.3, 0.0, z]), scene::HERE];
        scene.place(&at(0.9));
        let side = scene.detect(0, 1e-9)[0].clone();
        assert_close(side.margin, 0.1, 1e-8, "inside of the side");
        scene.place(&at(1.1));
        assert_close(scene.evaluate(side.slot).margin, -0.1, 1e-8, "beyond the side");
        let end = scene.detect(0, 1.0)[0].clone();
        assert_ne!(end.feature, side.feature);
        assert_close(end.margin, 0.1, 1e-8, "inside of the end");
        scene.place(&at(0.9));
        assert_close(scene.evaluate(end.slot).margin, -0.1, 1e-8, "beyond the end");
    });
}

/// All turns of a cube onto itself.
fn quarter_turns() -> Vec<scene::Axes> {
    let mut all = Vec::new();
    for x in 0..3 {
        for y in (0..3).filter(|&y| y != x) {
            for signs in 0..4 {
                let axis = |k: usize, sign: usize| {
                    let mut axis = [0.0; 3];
                    axis[k] = if signs >> sign & 1 == 1 { -1.0 } else { 1.0 };
                    axis
                };
                let (first, second) = (axis(x, 0), axis(y, 1));
                all.push([first, second, cross(first, second)]);
            }
        }
    }
    all
}

/// Where two boxes touch, in order.
fn places(found: &[Found]) -> Vec<Vector> {
    let rounded = |x: f64| (x * 1e9).round() / 1e9 + 0.0;
    let mut places: Vec<Vector> = found.iter().map(|found| found.point.map(rounded)).collect();
    places.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    places
}

#[test]
fn boxes_on_boxes_touch_at_the_corners_of_the_common_polygon() {
    let cube = shape(ShapeKind::Box, [1.0, 1.0, 1.0]);
    with_shapes(&[cube.clone(), cube], &[[0, 1], [1, 0]], |scene| {
        scene.set_twists(&[REST, REST]);
        let tilt = 1.0f64 / 2.0f64.sqrt();
        let eighth = [[tilt, -tilt, 0.0], [tilt, tilt, 0.0], [0.0, 0.0, 1.0]];
        let corner = 2.0f64.sqrt() - 1.0;
        let octagon = [[-1.0, corner], [-1.0, -corner], [1.0, corner], [1.0, -corner]];
        let octagon = octagon.iter().flat_map(|&[x, y]| [[x, y, 1.0], [y, x, 1.0]]).collect::<Vec<_>>();
        let square = |low: [f64; 2], high: [f64; 2]| {
            vec![[low[0], low[1], 1.0], [low[0], high[1], 1.0], [high[0], low[1], 1.0], [high[0], high[1], 1.0]]
        };
        let cases = [
            ([0.0, 0.0, 2.0], scene::STRAIGHT, square([-1.0, -1.0], [1.0, 1.0])),
            ([0.5, 0.0, 2.0], scene::STRAIGHT, square([-0.5, -1.0], [1.0, 1.0])),
            ([0.5, -0.25, 2.0], scene::STRAIGHT, square([-0.5, -1.0], [1.0, 0.75])),
            ([0.0, 0.0, 2.0], eighth, octagon),
        ];
        for (origin, axes, expected) in cases {
            let expected = places(&expected.into_iter().map(at_point).collect::<Vec<_>>());
            for turn in quarter_turns() {
                for inner in [turn, scene::STRAIGHT] {
                    let poses =
                        [Pose { origin: [0.0; 3], axes: inner }, Pose { origin, axes: scene::product(axes, turn) }];
                    scene.place(&poses);
                    for pair in 0..2 {
                        let found = scene.detect(pair, 1e-9);
                        assert_eq!(places(&found), expected);
                        let up = if pair == 0 { 1.0 } else { -1.0 };
                        for found in found {
                            assert_near(found.normal, [0.0, 0.0, up], 1e-12, "upwards");
                            assert!(found.gap.abs() < 1e-15 && found.margin > 0.0, "{found:?}");
                        }
                    }
                }
            }
        }
    });
}

fn at_point(point: Vector) -> Found {
    let zero = [0.0; 3];
    Found { slot: 0, feature: 0, gap: 0.0, normal: zero, point, normal_rate: zero, point_rate: zero, margin: 0.0 }
}

#[test]
fn corner_on_corner_the_axis_along_which_boxes_part_is_taken() {
    let cube = shape(ShapeKind::Box, [1.0, 1.0, 1.0]);
    with_shapes(&[cube.clone(), cube], &[[0, 1]], |scene| {
        // Edge along edge: the second is diagonally above the first.
        scene.place(&[scene::HERE, Pose::at([2.0, 0.0, 2.0])]);
        for (v, expected) in [([1.0, 0.0, -1.0], [1.0, 0.0, 0.0]), ([-1.0, 0.0, 1.0], [0.0, 0.0, 1.0])] {
            scene.set_twists(&[REST, Twist { v, w: [0.0; 3] }]);
            let found = scene.detect(0, 1e-9);
            assert_eq!(found.len(), 2);
            assert!(found.iter().all(|found| found.normal == expected), "{found:?}");
        }
    });
}

#[test]
fn a_capsule_lies_on_a_box_with_two_points() {
    let shapes = [shape(ShapeKind::Capsule, [0.25, 1.0, 0.0]), shape(ShapeKind::Box, [1.0, 1.0, 1.0])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST, REST]);
        let lying = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
        for (x, expected) in [(0.0, [-1.0, 1.0]), (0.5, [-0.5, 1.0]), (-1.5, [-1.0, -0.5])] {
            scene.place(&[Pose { origin: [x, 0.0, 1.25], axes: lying }, scene::HERE]);
            let found = scene.detect(0, 1e-9);
            assert_eq!(places(&found), expected.map(|x| [x, 0.0, 1.0]));
            assert!(found.iter().all(|found| found.normal == [0.0, 0.0, -1.0] && found.margin > 0.0), "{found:?}");
        }
        // Upright it stands on one end.
        scene.place(&[Pose::at([0.0, 0.0, 2.25]), scene::HERE]);
        assert_eq!(places(&scene.detect(0, 1e-9)), [[0.0, 0.0, 1.0]]);
    });
}

#[test]
fn a_sphere_rolls_from_the_face_of_a_box_over_its_edge() {
    let shapes = [shape(ShapeKind::Sphere, [0.5, 0.0, 0.0]), shape(ShapeKind::Box, [1.0, 1.0, 1.0])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST, REST]);
        let half = 0.5 / 2.0f64.sqrt();
        let places = [[0.75, 0.0, 1.5], [1.0 + half, 0.0, 1.0 + half], [1.5, 0.0, 0.75]];
        let mut features = Vec::new();
        for (k, &place) in places.iter().enumerate() {
            scene.place(&[Pose::at(place), scene::HERE]);
            let found = scene.detect(0, 1e-9);
            assert_eq!(found.len(), 1);
            assert!(found[0].margin > 0.2, "{found:?}");
            features.push(found[0].feature);
            // It has left the others.
            for (other, &place) in places.iter().enumerate().filter(|&(other, _)| other != k) {
                scene.place(&[Pose::at(place), scene::HERE]);
                assert!(scene.evaluate(found[0].slot).margin < 0.0, "{k} at {other}");
            }
        }
        features.dedup();
        assert_eq!(features.len(), 3);
        // A corner.
        let corner = 1.0 + 0.5 / 3.0f64.sqrt();
        scene.place(&[Pose::at([corner; 3]), scene::HERE]);
        let found = scene.detect(0, 1e-9);
        assert_eq!(found.len(), 1);
        assert_near(found[0].point, [1.0; 3], 1e-12, "the corner");
    });
}

#[test]
fn a_cylinder_stands_on_four_points_and_lies_on_two() {
    let shapes = [shape(ShapeKind::HalfSpace, [0.0; 3]), shape(ShapeKind::Cylinder, [0.5, 1.0, 0.0])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST, REST]);
        scene.place(&[scene::HERE, Pose::at([0.0, 0.0, 1.0])]);
        let found = scene.detect(0, 1e-9);
        assert_eq!(found.len(), 4);
        for (k, found) in found.iter().enumerate() {
            let angle = k as f64 * std::f64::consts::PI / 2.0;
            let expected = [0.5 * libm::cos(angle), 0.5 * libm::sin(angle), 0.0];
            assert_near(found.point, expected, 1e-15, "on the rim");
            assert!(found.margin > 0.0);
        }
        // A little tilted it stands on one.
        scene.place(&[scene::HERE, Pose { origin: [0.0, 0.0, 1.0], axes: scene::rotation([0.0, 1e-6, 0.0]) }]);
        assert!(scene.evaluate(found[0].slot).margin < 0.0);
        let found = scene.detect(0, 1e-7);
        assert_eq!(found.len(), 1);
        assert_near(found[0].point, [0.5, 0.0, 0.0], 2e-6, "the lowest point");
        let lying = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
        scene.place(&[scene::HERE, Pose { origin: [0.0, 0.0, 0.5], axes: lying }]);
        assert_eq!(places(&scene.detect(0, 1e-9)), [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    });
}

#[test]
fn cylinders_stand_on_boxes_lie_on_them_and_beside_one_another() {
    let lying = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]];
    let cylinder = shape(ShapeKind::Cylinder, [0.5, 1.0, 0.0]);
    let shapes = [shape(ShapeKind::Box, [2.0, 2.0, 1.0]), cylinder.clone(), cylinder];
    with_shapes(&shapes, &[[0, 1], [1, 2]], |scene| {
        scene.set_twists(&[REST; 3]);
        let far = Pose::at([9.0, 9.0, 9.0]);
        scene.place(&[scene::HERE, Pose::at([0.0, 0.0, 2.0]), far]);
        assert_eq!(scene.distance(0).0, 0.0);
        let found = scene.detect(0, 1e-9);
        assert_eq!(found.len(), 4);
        assert!(found.iter().all(|found| found.gap.abs() < 1e-15 && found.normal == [0.0, 0.0, 1.0]));
        scene.place(&[scene::HERE, Pose { origin: [0.0, 0.0, 1.5], axes: lying }, far]);
        assert_eq!(places(&scene.detect(0, 1e-9)), [[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]);
        // Over the edge of the box a rim and the crossing with the edge are left.
        scene.place(&[scene::HERE, Pose { origin: [1.5, 0.0, 1.5], axes: lying }, far]);
        assert_eq!(places(&scene.detect(0, 1e-9)), [[0.5, 0.0, 1.0], [2.0, 0.0, 1.0]]);
        scene.place(&[far, Pose::at([0.0, 0.0, 2.0]), Pose::at([1.0, 0.0, 2.5])]);
        let found = scene.detect(1, 1e-9);
        assert_eq!(places(&found), [[0.5, 0.0, 1.5], [0.5, 0.0, 3.0]]);
        assert!(found.iter().all(|found| found.normal == [1.0, 0.0, 0.0]));
        // One on top of the other.
        scene.place(&[far, Pose::at([0.0, 0.0, 2.0]), Pose::at([0.0, 0.0, 4.0])]);
        assert_eq!(scene.detect(1, 1e-9).len(), 4);
    });
}

/// Caps that lie on one another beside their middles share a lens: points of both rims, and the corners where these cross.
#[test]
fn caps_on_one_another_touch_in_a_lens() {
    let shapes = [shape(ShapeKind::Cylinder, [0.5, 1.0, 0.0]), shape(ShapeKind::Cylinder, [0.4, 1.0, 0.0])];
    with_shapes_fast(&shapes, &[[0, 1]], |scene| {
        let mut random = Random(7);
        for [x, y] in [[0.3, 0.0], [-0.1, 0.2], [0.6, 0.5]] {
            let far = libm::hypot(x, y);
            let along = (far + (0.25 - 0.16) / far) / 2.0;
            let across = (0.25 - along * along).sqrt();
            let poses = [scene::HERE, Pose::at([x, y, 2.0])];
            let twists = [random.twist(), random.twist()];
            scene.set_twists(&twists);
            scene.place(&poses);
            let found = scene.detect(0, 1e-9);
            let is_near = |found: &Found, place: [f64; 2]| {
                (found.point[0] - place[0]).abs() + (found.point[1] - place[1]).abs() < 1e-12
            };
            for found in &found {
                let [a, b] = [[0.0, 0.0], [x, y]].map(|c| libm::hypot(found.point[0] - c[0], found.point[1] - c[1]));
                assert!(a < 0.5 + 1e-9 && b < 0.4 + 1e-9, "all are in both discs");
                assert!((a - 0.5).abs() < 1e-12 || (b - 0.4).abs() < 1e-12, "and on one of the rims");
            }
            for sign in [-1.0, 1.0] {
                let [cosine, sine] = [x / far, y / far];
                let corner = [along * cosine - sign * across * sine, along * sine + sign * across * cosine];
                let now = found.iter().find(|it| is_near(it, corner)).expect("a corner of the lens");
                assert_rates(scene, &poses, &twists, now, "a corner of a lens");
            }
            for middle in [[0.5 * x / far, 0.5 * y / far], [x - 0.4 * x / far, y - 0.4 * y / far]] {
                assert!(found.iter().any(|it| is_near(it, middle)), "the middle of an arc");
            }
        }
    });
}

/// A disc that stands over the edge of a box touches it where its rim crosses the edge, and still does while it tips.
#[test]
fn a_disc_over_an_edge_touches_it_at_both_crossings() {
    let shapes = [shape(ShapeKind::Box, [2.0, 2.0, 1.0]), shape(ShapeKind::Cylinder, [0.5, 1.0, 0.0])];
    let half = (0.25_f64 - 0.01).sqrt();
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST; 2]);
        scene.place(&[scene::HERE, Pose::at([1.9, 0.0, 2.0])]);
        let found = scene.detect(0, 1e-9);
        let crossings: Vec<&Found> = found.iter().filter(|found| (found.point[0] - 2.0).abs() < 1e-9).collect();
        assert_eq!(crossings.len(), 2, "of {}", found.len());
        assert!(found.iter().all(|found| found.gap.abs() < 1e-14 && found.margin > 0.0));
        for angle in [1e-9, 1e-6, 0.01, 0.3, 1.0] {
            let axes = scene::rotation([0.0, angle, 0.0]);
            let at = |axes| add([2.0, 0.0, 1.0], scene::turn(axes, [-0.1, 0.0, 1.0]));
            scene.place(&[scene::HERE, Pose { origin: at(axes), axes }]);
            let found = scene.detect(0, 1e-10);
            let crossings: Vec<&Found> = found.iter().filter(|found| (found.point[0] - 2.0).abs() < 1e-9).collect();
            assert_eq!(crossings.len(), 2, "at {angle}: {}", found.len());
            for found in crossings {
                assert!(found.gap.abs() < 1e-14 && found.margin > 0.0, "at {angle}: {} {}", found.gap, found.margin);
                assert_close(found.point[1].abs(), half, 1e-12, "where the rim crosses");
                assert_near(found.normal, [libm::sin(angle), 0.0, libm::cos(angle)], 1e-12, "the normal");
            }
        }
    });
}

#[test]
fn crossings_of_rims_have_the_rates_of_differences() {
    let shapes = [shape(ShapeKind::Box, [2.0, 2.0, 1.0]), shape(ShapeKind::Cylinder, [0.5, 1.0, 0.0])];
    with_shapes_fast(&shapes, &[[0, 1]], |scene| {
        let mut random = Random(5);
        for angle in [0.0, 1e-3, 0.7] {
            let axes = scene::rotation([0.0, angle, 0.0]);
            let origin = add([2.0, 0.1, 1.0], scene::turn(axes, [-0.2, 0.0, 1.0]));
            let poses = [scene::HERE, Pose { origin, axes }];
            let twists = [random.twist(), random.twist()];
            scene.set_twists(&twists);
            scene.place(&poses);
            let found = scene.detect(0, 1e-9);
            let crossings: Vec<Found> = found.into_iter().filter(|it| (it.point[0] - 2.0).abs() < 1e-9).collect();
            assert_eq!(crossings.len(), 2);
            for now in crossings {
                assert_rates(scene, &poses, &twists, &now, "a rim over an edge");
            }
        }
    });
}

#[test]
fn an_ellipsoid_touches_a_box_at_one_point() {
    let shapes = [shape(ShapeKind::Box, [1.0, 1.0, 1.0]), shape(ShapeKind::Ellipsoid, [0.5, 0.25, 0.75])];
    with_shapes(&shapes, &[[0, 1]], |scene| {
        scene.set_twists(&[REST; 2]);
        scene.place(&[scene::HERE, Pose::at([0.25, 0.5, 1.75])]);
        assert_eq!(places(&scene.detect(0, 1e-9)), [[0.25, 0.5, 1.0]]);
        scene.place(&[scene::HERE, Pose::at([1.75, 0.5, 0.0])]);
        assert_close(scene.gap(0), 0.25, 1e-15, "beside the box");
    });
}
