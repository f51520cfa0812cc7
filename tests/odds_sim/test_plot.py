"""Drawings that stand by themselves."""

from xml.etree import ElementTree as ET

from puntobanco.odds.plot import HEIGHT, WIDTH, Panel, line_plot, svg


def test_a_drawing_is_one_file_with_nothing_from_elsewhere() -> None:
    text = svg("5 < 6 & more", "coup", [Panel("edge, %", [1, 2], {"a<b": [1.0, -2.0]})])
    drawn = ET.fromstring(text)  # noqa: S314  our own text
    assert drawn.findtext("{http://www.w3.org/2000/svg}title") == "5 < 6 & more"
    assert "a<b" in [one.text for one in drawn.iter()]
    assert text.count("http") == 1
    assert "href" not in text


def test_many_paths_are_one_bundle_without_names() -> None:
    panel = Panel("units", [0, 1, 2], {str(n): [float(n)] * (n + 1) for n in range(3)}, named=False)
    drawn = svg("Paths", "coup", [panel])
    assert "stroke-dasharray" not in drawn
    assert drawn.count("stroke-opacity") == 3


def test_a_shorter_series_ends_early_inside_the_frame() -> None:
    plot = line_plot([0, 1, 2, 3], {"whole": [0.0, 1.0, 2.0, 3.0], "short": [3.0, 1.0]})
    whole, short = (line.path.lstrip("M").split("L") for line in plot.lines)
    assert (len(whole), len(short)) == (4, 2)
    for place in (*whole, *short):
        x, y = map(float, place.split())
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT
