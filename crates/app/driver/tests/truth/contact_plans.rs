//! Plans that look through contact: impacts, friction and rolling, against closed forms.

use crate::scene::{Scene, assert_near};

/// A throw that is chosen so that the ball bounces once and then is at a place at a time.
fn throw(contact: &str, height: &str) -> Scene {
    Scene::new(&format!(
        "
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body ball: sphere(0.1 [m]) mass 1 [kg] {{ position = (free, free, free); rotation = free }}
        initially ball.position == (0, 0, 1.1 [m])
        contact ball, floor {{ {contact} }}
        mode state: held | thrown | there
        plan throw when state == held {{
          choose along: [m/s] from 1.5 [m/s]
          choose up: [m/s] from 1 [m/s]
          begin {{
            state == thrown
            ball.velocity == (along, 0 [m/s], up)
            ball.omega == (0 [rad/s], -40 [rad/s], 0 [rad/s])
            keep positions
          }}
          after 1 [s] aim ball.position.x == 2 [m], ball.position.z == {height} {{ state == there; keep all }}
        }}
        "
    ))
    .probe(&["ball.position.x", "ball.position.z", "along", "up", "contact(ball, floor).impacts"])
}

/// It falls for (w + v) / g with v = √(w² + 2 g h), and rises with e v.
#[test]
fn a_plan_throws_a_ball_so_that_it_bounces_once_and_arrives() {
    let found = throw("restitution = 0.8", "0.6 [m]").at(1.0);
    let (along, up, g) = (found.last("along"), found.last("up"), 9.81_f64);
    assert_eq!(found.last("contact(ball, floor).impacts"), 1.0);
    assert_near("the speed along the floor", along, 2.0, 1e-9);
    let arrives = (up * up + 2.0 * g).sqrt();
    let later = 1.0 - (up + arrives) / g;
    assert_near("the height", 0.1 + 0.8 * arrives * later - g * later * later / 2.0, 0.6, 1e-8);
    assert_near("where it is", found.last("ball.position.z"), 0.6, 1e-8);
}

/// Friction of an impact that slips takes μ (1 + e) v of the speed along the floor; it needs no less to end the slip.
#[test]
fn a_plan_reckons_with_friction_of_an_impact() {
    let found = throw("restitution = 0.8; friction = 0.05", "0.6 [m]").at(1.0);
    let (along, up, g) = (found.last("along"), found.last("up"), 9.81_f64);
    let arrives = (up * up + 2.0 * g).sqrt();
    let falls = (up + arrives) / g;
    // The lowest point of the ball moves with the speed less ω r, and friction acts against that.
    let slip = along + 40.0 * 0.1;
    let after = along - slip.signum() * 0.05 * 1.8 * arrives;
    assert!(slip.abs() > 3.5 * 0.05 * 1.8 * arrives, "it slips throughout the impact");
    assert_near("where it is", along * falls + after * (1.0 - falls), 2.0, 1e-8);
}

/// It slides for 2 v / (7 μ g) and rolls from then on at 5 v / 7.
#[test]
fn a_plan_pushes_a_ball_that_slides_until_it_rolls() {
    let scene = Scene::new(
        "
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body ball: sphere(0.1 [m]) mass 1 [kg] { position = (free, free, free); rotation = free }
        initially ball.position == (0, 0, 0.1 [m])
        contact ball, floor { friction = 0.2 }
        mode state: held | pushed | there
        plan push when state == held {
          choose speed: [m/s] from 2 [m/s]
          begin {
            state == pushed
            ball.velocity == (speed, 0 [m/s], 0 [m/s])
            ball.omega == (0 [rad/s], 0 [rad/s], 0 [rad/s])
            keep positions
          }
          after 1 [s] aim ball.position.x == 2 [m] { state == there; keep all }
        }
        ",
    );
    let found = scene.probe(&["ball.position.x", "speed"]).at(1.0);
    let (v, slowing) = (found.last("speed"), 0.2 * 9.81);
    let slides = 2.0 * v / (7.0 * slowing);
    assert_near("where it is", 12.0 * v * v / (49.0 * slowing) + 5.0 / 7.0 * v * (1.0 - slides), 2.0, 1e-8);
}

/// v² = 2 μ g x, at any tolerance, from wherever the search begins.
#[test]
fn a_plan_pushes_a_box_that_comes_to_rest_on_its_corners() {
    for (from, tolerance) in [(2.0, 1e-12), (1.0, 1e-8), (4.0, 1e-10)] {
        let scene = Scene::new(&format!(
            "
            gravity 9.81 [m/s^2]
            surface floor: z == 0
            body block: box(20 [cm], 20 [cm], 10 [cm]) mass 1 [kg] {{ position = (free, free, free); rotation = free }}
            initially block.position == (0, 0, 0.05) [m]
            contact block, floor {{ friction = 0.3 }}
            mode state: held | pushed | there
            plan push when state == held {{
              choose speed: [m/s] from {from} [m/s]
              begin {{
                state == pushed
                block.velocity == (speed, 0, 0)
                block.omega == (0, 0, 0)
                keep positions
              }}
              after 2 [s] aim block.position.x == 1 [m] {{ state == there; keep all }}
            }}
            "
        ));
        let found = scene.tolerance(tolerance).probe(&["block.position.x", "block.velocity.x", "speed"]).at(2.5);
        assert_near("speed", found.last("speed"), (2.0 * 0.3 * 9.81_f64).sqrt(), 1e-8);
        assert_near("where it rests", found.last("block.position.x"), 1.0, 1e-7);
        assert_near("it rests", found.last("block.velocity.x"), 0.0, 1e-9);
    }
}

/// The second push begins from rest: v² = 2 μ g x for each.
#[test]
fn a_plan_pushes_a_box_again_that_came_to_rest() {
    let scene = Scene::new(
        "
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body block: box(20 [cm], 20 [cm], 10 [cm]) mass 1 [kg] { position = (free, free, free); rotation = free }
        initially block.position == (0, 0, 0.05) [m]
        contact block, floor { friction = 0.3 }
        mode state: held | first | second | there
        plan push when state == held {
          choose speed: [m/s] from 2 [m/s]
          choose again: [m/s] from 1 [m/s]
          begin {
            state == first
            block.velocity == (speed, 0, 0)
            block.omega == (0, 0, 0)
            keep positions
          }
          after 2 [s] aim block.position.x == 1 [m] {
            state == second
            block.velocity == (again, 0, 0)
            block.omega == (0, 0, 0)
            keep positions
          }
          after 2 [s] aim block.position.x == 1.5 [m] { state == there; keep all }
        }
        ",
    );
    let found = scene.probe(&["speed", "again"]).at(4.5);
    let braking = 2.0 * 0.3 * 9.81_f64;
    assert_near("first", found.last("speed"), braking.sqrt(), 1e-8);
    assert_near("second", found.last("again"), (0.5 * braking).sqrt(), 1e-8);
}

/// What a contact exerts is not differentiated; a plan that aims at it is refused, and says so.
#[test]
fn a_plan_that_asks_for_a_contact_is_refused() {
    let text = "
        gravity 9.81 [m/s^2]
        surface floor: z == 0
        body ball { position = (free, 0, free); mass = 1 [kg]; shape = sphere(0.1 [m]) }
        initially ball.position == (0, 0, 1 [m])
        contact ball, floor { restitution = 0.5 }
        mode state: held | thrown | there
        plan throw when state == held {
          choose up: [m/s] from 5 [m/s]
          begin { state == thrown; ball.velocity == (1 [m/s], 0 [m/s], up); keep positions }
          until contact(ball, floor).impacts >= 2 aim ball.position.x == 2 [m] { state == there; keep all }
        }";
    let found = Scene::new(text).trouble(1.0, 1.0);
    assert_eq!(found.code.0, "plan-through-contact");
    assert!(found.message.contains("asks for what is known of a contact"), "{}", found.message);
}
