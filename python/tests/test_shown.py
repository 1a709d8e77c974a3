"""Questions, pages, and where runs are made."""

import subprocess
import sys
from pathlib import Path

import ansatz
import numpy as np
import pytest
from ansatz import _page
from ansatz._page import Page

ROOT = Path(__file__).parents[2]


def test_questions_have_all_their_answers() -> None:
    boat = ansatz.compile(ROOT / "examples" / "sailboat.anz")
    answers = boat.find()
    assert [answer.asked for answer in answers] and "boat.speed" in str(answers)
    speeds = boat.find("boat.speed given steady(boat)")
    feet = sorted(answer.value / 0.3048 for answer in speeds)
    assert np.allclose(feet, [3.25162681436209, 15.704694325447845], rtol=1e-9)
    assert sorted(answer.stable for answer in speeds) == [False, True]
    with pytest.raises(ansatz.Error) as caught:
        boat.find("boat.sped")
    assert caught.value.code == "unknown-field"


def test_a_question_about_a_run_is_answered(pendulum: ansatz.Scene) -> None:
    (lowest,) = pendulum.find("t when swing.angle <= 0", angle=0.001, length="2 m")
    assert lowest.value == pytest.approx(np.pi / 2 * np.sqrt(2 / 9.81), rel=1e-6)


def test_a_scene_is_a_page_that_moves(pendulum: ansatz.Scene, tmp_path: Path) -> None:
    try:
        page = pendulum.show(length=2)
    except RuntimeError as error:
        pytest.skip(str(error))
    shown = page._repr_html_()
    assert shown.startswith('<iframe srcdoc="') and "swing" in page.html
    assert page.save(tmp_path / "pendulum.html").read_text(encoding="utf-8") == page.html
    # The length of the pendulum is in the memory that the program begins with.
    assert page.html != pendulum.show().html


def test_a_page_is_a_widget_where_there_are_widgets() -> None:
    pytest.importorskip("anywidget")
    page = Page("<p>swing</p>", "swing")
    widget = page.widget(height="20em")
    assert (widget.page, widget.title, widget.height) == ("<p>swing</p>", "swing", "20em")
    # What is synchronised is what the notebook gets.
    assert {"page", "title", "height"} <= set(widget.get_state())
    bundle = page._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data and data["text/plain"] == repr(page)


def test_without_widgets_a_page_is_html(monkeypatch: pytest.MonkeyPatch) -> None:
    _page._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    page = Page("<p>swing</p>", "swing")
    assert page._repr_mimebundle_() is None
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;p&gt;swing')
    with pytest.raises(RuntimeError, match="pip install anywidget"):
        page.widget()
    _page._widget_class.cache_clear()


def test_without_a_gpu_the_processor_makes_the_runs(pendulum: ansatz.Scene) -> None:
    values = np.linspace(1, 2, 3)
    here = pendulum.ensemble(until=1, length=values)
    if Path("/dev/nvidia0").exists():
        pytest.skip("there is a GPU")
    with pytest.warns(RuntimeWarning, match="not on a GPU"):
        there = pendulum.ensemble(until=1, length=values, on="cuda")
    assert np.array_equal(here["swing.angle"], there["swing.angle"]) and there.events(0) == []


def test_numpy_waits_until_it_is_used() -> None:
    code = "import ansatz, sys; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
