//! The opened folder, and nothing else.

use serde_json::Value;

use crate::client::{Studio, example, examples};

#[test]
fn the_gallery_has_every_example_and_the_scenes_of_the_folder() {
    let studio = Studio::start("gallery");
    std::fs::create_dir(studio.folder.join("sub")).expect("a folder");
    std::fs::write(studio.folder.join("sub/mine.anz"), "\n// What I see.\n// Twice.\nscene mine\n").expect("a scene");
    let (status, body) = studio.ask("GET", "/api/gallery", "");
    let gallery: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(status, 200);
    let titles: Vec<&str> =
        gallery["examples"].as_array().expect("a list").iter().filter_map(|one| one["path"].as_str()).collect();
    assert_eq!(titles, examples().iter().map(|name| format!("examples/{name}.anz")).collect::<Vec<_>>());
    let files = &gallery["files"];
    assert_eq!(files.as_array().map(Vec::len), Some(1));
    assert_eq!(files[0]["path"], "sub/mine.anz");
    assert_eq!(files[0]["description"], "What I see. Twice.");
    assert_eq!(studio.ask("GET", "/api/file?path=examples/pendulum.anz", ""), (200, example("pendulum")));
}

#[test]
fn a_scene_is_saved_whole_and_read_back() {
    let studio = Studio::start("save");
    for text in ["scene one\n", "scene two // θ\n", ""] {
        assert_eq!(studio.ask("PUT", "/api/file?path=new.anz", text).0, 204);
        assert_eq!(studio.ask("GET", "/api/file?path=new.anz", ""), (200, text.to_string()));
    }
    let names: Vec<_> =
        std::fs::read_dir(&studio.folder).expect("it is there").flatten().map(|file| file.file_name()).collect();
    assert_eq!(names, ["new.anz"], "nothing is left beside it");
}

#[test]
fn a_text_that_somebody_else_changed_is_not_replaced() {
    let studio = Studio::start("conditional");
    let host = format!("127.0.0.1:{}", studio.port);
    let put = |text: &str, header: (&str, &str)| {
        let request = format!("PUT /api/file?path=shared.anz&token={}", studio.token);
        let (status, answer) = studio.http(&request, &[("Host", &host), header], text);
        let version = answer.lines().find_map(|line| line.to_lowercase().strip_prefix("etag: ").map(str::to_string));
        (status, version.unwrap_or_default(), answer)
    };
    let (created, first, _) = put("scene first\n", ("If-None-Match", "*"));
    assert_eq!((created, first.is_empty()), (204, false));
    assert_eq!(put("scene another\n", ("If-None-Match", "*")).0, 412);
    let (saved, second, _) = put("scene second\n", ("If-Match", &first));
    assert!(saved == 204 && second != first);
    // Whoever still knows the first does not replace the second unawares.
    let (refused, _, answer) = put("scene lost\n", ("If-Match", &first));
    assert!(refused == 412 && answer.contains("changed by somebody else"), "{answer}");
    assert_eq!(studio.ask("GET", "/api/file?path=shared.anz", "").1, "scene second\n");
    // Tabs that save at the same time do not get into one another's way.
    std::thread::scope(|scope| {
        for at in 0..8 {
            let studio = &studio;
            scope.spawn(move || {
                assert_eq!(studio.ask("PUT", "/api/file?path=race.anz", &format!("scene s{at}\n")).0, 204);
            });
        }
    });
}

#[test]
fn a_draft_is_kept_outside_of_the_folder_and_no_tab_replaces_that_of_another() {
    let studio = Studio::start("drafts");
    let host = format!("127.0.0.1:{}", studio.port);
    let keep = |text: Value, at: f64| {
        let work = serde_json::json!({ "path": "mine.anz", "text": text, "version": "", "plots": ["t"], "at": at });
        let headers = [("Host", host.as_str()), ("Content-Type", "application/json")];
        let (status, answer) =
            studio.http(&format!("PUT /api/work?token={}", studio.token), &headers, &work.to_string());
        (status, answer.lines().last().and_then(|at| at.parse::<f64>().ok()))
    };
    assert_eq!(studio.ask("GET", "/api/work?path=mine.anz", ""), (200, "null".to_string()));
    let (status, first) = keep("scene one\n".into(), 0.0);
    let first = first.expect("a time");
    assert_eq!((status, keep("scene other\n".into(), 0.0).0), (200, 409), "another tab knows nothing of the first");
    let second = keep("scene two\n".into(), first).1.expect("a time");
    assert!(second > first);
    let (_, kept) = studio.ask("GET", "/api/work?path=mine.anz", "");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!((&kept["text"], &kept["plots"][0]), (&"scene two\n".into(), &"t".into()));
    let (_, gallery) = studio.ask("GET", "/api/gallery", "");
    let gallery: Value = serde_json::from_str(&gallery).expect("JSON");
    assert_eq!((&gallery["recent"][0]["path"], &gallery["recent"][0]["unsaved"]), (&"mine.anz".into(), &true.into()));
    assert_eq!(std::fs::read_dir(&studio.folder).expect("it is there").count(), 0);
    assert_eq!(keep(Value::Null, second).0, 200);
}

#[test]
fn nothing_outside_of_the_folder_is_touched() {
    let studio = Studio::start("outside");
    let outside = studio.folder.parent().expect("a folder").join("secret.anz");
    std::fs::write(&outside, "secret").expect("a file");
    std::fs::write(studio.folder.join("notes.txt"), "secret").expect("a file");
    std::fs::write(studio.folder.join(".hidden.anz"), "secret").expect("a file");
    let mut paths =
        vec!["../secret.anz", "sub/../../secret.anz", "..%2Fsecret.anz", "notes.txt", ".hidden.anz", "", "/etc/passwd"];
    let absolute = outside.display().to_string();
    paths.push(&absolute);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, studio.folder.join("link.anz")).expect("a link");
        std::os::unix::fs::symlink(studio.folder.parent().expect("a folder"), studio.folder.join("up"))
            .expect("a link");
        std::os::unix::fs::symlink("nowhere.anz", studio.folder.join("dangling.anz")).expect("a link");
        paths.extend(["link.anz", "up/secret.anz", "up/new.anz", "dangling.anz"]);
    }
    for path in paths {
        let (status, body) = studio.ask("GET", &format!("/api/file?path={path}"), "");
        assert!(matches!(status, 403 | 404) && !body.contains("secret\n"), "{path}: {status} {body}");
        let (status, body) = studio.ask("PUT", &format!("/api/file?path={path}"), "changed");
        assert_eq!(status, 403, "{path}: {body}");
        let refusal: Value = serde_json::from_str(&body).expect("a refusal");
        assert!(refusal["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{body}");
    }
    assert_eq!(std::fs::read_to_string(&outside).expect("it is there"), "secret");
    assert!(!studio.folder.join("nowhere.anz").exists());
    // What is too long, or no text, is not saved either.
    assert_eq!(studio.ask("PUT", "/api/file?path=long.anz", &" ".repeat((1 << 20) + 1)).0, 413);
    assert!(!studio.folder.join("long.anz").exists());
}

#[test]
fn the_manual_is_served_and_its_scenes_can_be_read() {
    let studio = Studio::start("manual");
    let host = format!("127.0.0.1:{}", studio.port);
    let get = |path: &str| studio.http(&format!("GET {path}"), &[("Host", &host)], "");
    // What is in it is no secret; opening its scenes is up to those who know the token.
    for path in ["index.html", "tutorial/pendulum.html", "errors/unknown-name.html", "look/manual.js"] {
        assert_eq!(get(&format!("/docs/{path}")).0, 200, "{path}");
    }
    assert_eq!(get("/docs/../Cargo.toml").0, 404);
    assert_eq!(get("/docs/nothing.html").0, 404);
    let scene = "/api/file?path=docs/scenes/pendulum_1.anz";
    assert_eq!(get(scene).0, 403);
    let (status, text) = get(&format!("{scene}&token={}", studio.token));
    assert!(status == 200 && text.contains("scene pendulum"), "{text}");
    // Pages are not scenes.
    assert_eq!(get(&format!("/api/file?path=docs/index.html&token={}", studio.token)).0, 404);
}
