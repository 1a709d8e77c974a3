//! Random problems, the same everywhere.

use super::{Body, Problem, Scene, dot};

/// A generator of numbers that are the same everywhere (Steele, Lea and Flood, SplitMix).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between the bounds.
    pub fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Often nothing at all, else between zero and two.
    pub fn friction(&mut self) -> f64 {
        if self.below(4) == 0 { 0.0 } else { self.real(0.0, 2.0) }
    }

    /// A mass of any order of magnitude within so many decades.
    pub fn mass(&mut self, decades: f64) -> f64 {
        10.0_f64.powf(self.real(-decades / 2.0, decades / 2.0))
    }

    pub fn vector(&mut self, size: f64) -> [f64; 3] {
        [0, 1, 2].map(|_| self.real(-size, size))
    }

    pub fn direction(&mut self) -> [f64; 3] {
        let vector = self.vector(1.0);
        let length = dot(vector, vector).sqrt();
        vector.map(|component| component / length)
    }

    /// A force within its cone.
    pub fn force_in_cone(&mut self, friction: f64) -> [f64; 3] {
        let (normal, size, direction) = (self.real(0.0, 10.0), self.real(0.0, 0.9), self.direction());
        let length = direction[1].hypot(direction[2]);
        [normal, friction * normal * size * direction[1] / length, friction * normal * size * direction[2] / length]
    }

    /// A positive definite response of so many points, some of which slip in known directions.
    pub fn responses(&mut self, count: usize) -> Problem {
        let n = 3 * count;
        let rows: Vec<Vec<f64>> = (0..n).map(|_| (0..n + 1).map(|_| self.real(-1.0, 1.0)).collect()).collect();
        let response = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let W: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(move |b| response(a, b))).collect();
        let b: Vec<f64> = (0..n).map(|_| self.real(-1.0, 0.5)).collect();
        let friction: Vec<f64> = (0..count).map(|_| self.friction()).collect();
        let mut problem = Problem::of(&W, &b, &friction);
        for i in 0..count {
            let angle = self.real(0.0, 6.0);
            problem.slips[i] = self.below(2) as i64;
            (problem.direction[2 * i], problem.direction[2 * i + 1]) = (angle.cos(), angle.sin());
        }
        problem
    }

    /// Accelerations of all bodies: mostly weight.
    pub fn weights(&mut self, scene: &Scene) -> Problem {
        let size = if self.below(2) == 0 { 1.0 } else { 20.0 };
        let mut free = |_| {
            let (push, turn) = (self.vector(size), self.vector(size));
            [push[0], push[1], push[2] - 9.81, turn[0], turn[1], turn[2]]
        };
        let free: Vec<[f64; 6]> = (0..scene.bodies()).map(&mut free).collect();
        scene.accelerations(&free)
    }
}

const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// A stack of boxes, each on four corners of the smaller of two faces.
pub fn stack(random: &mut Random, boxes: usize, decades: f64) -> Scene {
    let mut scene = Scene::new();
    let (mut height, mut below) = (0.0, None);
    for _ in 0..boxes {
        let half = [random.real(0.2, 1.0), random.real(0.2, 1.0), random.real(0.2, 1.0)];
        let place = [random.real(-0.1, 0.1), random.real(-0.1, 0.1), height + half[2]];
        let body = scene.body(Body::block(random.mass(decades), half, place));
        let friction = random.friction();
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let corner = [place[0] + x * half[0], place[1] + y * half[1], height];
            scene.touch(below, Some(body), corner, UP, friction);
        }
        height += 2.0 * half[2];
        below = Some(body);
    }
    scene
}

/// Spheres on the floor, side by side in a ring, or one upon others.
pub fn heap(random: &mut Random) -> Scene {
    let mut scene = Scene::new();
    let friction = random.friction();
    let ball = |mass: f64, place| {
        let inertia = 0.4 * mass * 0.25;
        Body { mass, inertia: [inertia; 3], place }
    };
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.5, 0.75_f64.sqrt()]];
    let balls: Vec<usize> = corners.iter().map(|c| scene.body(ball(random.mass(6.0), [c[0], c[1], 0.5]))).collect();
    for (&id, corner) in balls.iter().zip(&corners) {
        scene.touch(None, Some(id), [corner[0], corner[1], 0.0], UP, friction);
    }
    let top = [0.5, 0.75_f64.sqrt() / 3.0, 0.5 + (2.0_f64 / 3.0).sqrt()];
    let highest = scene.body(ball(random.mass(6.0), top));
    for &id in &balls {
        let place = scene.place(id);
        let normal = [0, 1, 2].map(|k| top[k] - place[k]);
        let middle = [0, 1, 2].map(|k| (top[k] + place[k]) / 2.0);
        scene.touch(Some(id), Some(highest), middle, normal, friction);
    }
    scene
}

/// Bodies that touch the world and one another anywhere.
pub fn tangle(random: &mut Random, points: usize) -> Scene {
    let mut scene = Scene::new();
    let bodies = 1 + random.below(3);
    for _ in 0..bodies {
        let half = [random.real(0.2, 1.0), random.real(0.2, 1.0), random.real(0.2, 1.0)];
        let place = random.vector(1.0);
        scene.body(Body::block(random.mass(3.0), half, place));
    }
    for _ in 0..points {
        let (first, second) = (random.below(bodies + 1), random.below(bodies));
        let first = (first < bodies && first != second).then_some(first);
        let (place, normal, friction) = (random.vector(1.0), random.direction(), random.friction());
        scene.touch(first, Some(second), place, normal, friction);
    }
    scene
}
