"""Draws the pictures of the course: identifiers and numbers only, so that one picture serves every language.

Each is 1200 pixels wide with type of at least 28 pixels, to be read on a phone. `make images` draws all anew.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot
from matplotlib.patches import FancyArrowPatch, Rectangle

WIDTH = 1200
DOTS = 100
MONO = "DejaVu Sans Mono"
INK = "#1b1f24"
BLUE, ORANGE, GREEN, PINK, GREY, WHITE = "#a9d1f5", "#ffd08a", "#b5e0a8", "#f5b9d6", "#e3e6ea", "#ffffff"
COLOURS = (BLUE, ORANGE, GREEN, PINK)
RED = "#c62828"


class Sheet:
    """A white sheet; x and y count pixels from the upper left corner."""

    def __init__(self, height: int) -> None:
        self.figure = pyplot.figure(figsize=(WIDTH / DOTS, height / DOTS), dpi=DOTS)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_xlim(0, WIDTH)
        self.axes.set_ylim(height, 0)
        self.axes.axis("off")

    def text(
        self, x: float, y: float, words: str, size: int = 32, ha: str = "center", colour: str = INK, bold: bool = False
    ) -> None:
        self.axes.text(
            x,
            y,
            words,
            fontsize=size * 0.72,
            family=MONO,
            ha=ha,
            va="center",
            color=colour,
            weight="bold" if bold else "normal",
        )

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        words: str = "",
        fill: str = WHITE,
        size: int = 32,
        lost: bool = False,
    ) -> None:
        style = (0, (5, 4)) if lost else "solid"
        edge = RED if lost else INK
        self.axes.add_patch(Rectangle((x, y), w, h, facecolor=fill, edgecolor=edge, linewidth=2.5, linestyle=style))
        if words:
            self.text(x + w / 2, y + h / 2, words, size)

    def arrow(self, x: float, y: float, to_x: float, to_y: float, colour: str = INK, dashed: bool = False) -> None:
        style = "dashed" if dashed else "solid"
        patch = FancyArrowPatch(
            (x, y),
            (to_x, to_y),
            arrowstyle="-|>",
            shrinkA=0,
            shrinkB=0,
            mutation_scale=28,
            linewidth=3,
            color=colour,
            linestyle=style,
        )
        self.axes.add_patch(patch)

    def line(
        self, x: float, y: float, to_x: float, to_y: float, colour: str = INK, width: float = 3, behind: int = 2
    ) -> None:
        self.axes.plot([x, to_x], [y, to_y], color=colour, linewidth=width, solid_capstyle="butt", zorder=behind)

    def cross(self, x: float, y: float, r: float = 24) -> None:
        self.line(x - r, y - r, x + r, y + r, RED, 7)
        self.line(x - r, y + r, x + r, y - r, RED, 7)


def hub_and_dcp() -> Sheet:
    """Whole tensors per file, against a part of each tensor per file; one file of each is lost."""
    sheet = Sheet(760)
    for left, title in ((40, "P/"), (640, "D/")):
        sheet.text(left + 260, 50, title, 40, bold=True)
    tensors = ("w0", "w1", "w2", "w3")
    for i in range(4):
        top = 110 + i * 150
        lost = i == 2
        sheet.text(300, top + 12, f"model-0000{i + 1}-of-00004", 30)
        sheet.box(60, top + 36, 480, 84, tensors[i], GREY if lost else COLOURS[i], 36, lost)
        sheet.text(900, top + 12, f"__{i}_0.distcp", 30)
        for j, tensor in enumerate(tensors):
            part = f"{tensor}[{i}]"
            sheet.box(660 + j * 120, top + 36, 120, 84, part, GREY if lost else COLOURS[j], 30, lost)
        if lost:
            sheet.cross(500, top + 78, 26)
            sheet.cross(1160, top + 78, 26)
    return sheet


def index_lookup() -> Sheet:
    """The index names a file for each tensor; one of the files is missing."""
    sheet = Sheet(780)
    sheet.text(300, 45, "weight_map", 38, bold=True)
    names = ("embed.weight", "layers.0.weight", "layers.1.weight", "layers.2.weight", "layers.3.weight", "head.weight")
    files = (0, 0, 1, 1, 2, 3)
    for i, (name, file) in enumerate(zip(names, files, strict=True)):
        sheet.box(40, 90 + i * 112, 440, 84, name, COLOURS[file], 34)
    for i in range(4):
        top = 100 + i * 170
        lost = i == 1
        sheet.box(700, top, 460, 110, f"model-0000{i + 1}\n-of-00004", GREY if lost else COLOURS[i], 34, lost)
        if lost:
            sheet.cross(1120, top + 30, 26)
    for i, file in enumerate(files):
        sheet.arrow(482, 132 + i * 112, 698, 155 + file * 170, RED if file == 1 else INK)
    return sheet


def safetensors_file() -> Sheet:
    """Eight bytes of size, the header, the data."""
    sheet = Sheet(480)
    sheet.text(600, 50, "model.safetensors", 38, bold=True)
    sheet.box(40, 150, 150, 130, "N", ORANGE, 44)
    sheet.box(190, 150, 480, 130, '{"w": {...}}', BLUE, 38)
    sheet.box(670, 150, 490, 130, "01 7F 3C A0 ...", GREEN, 36)
    for left, right, words in ((40, 190, "8"), (190, 670, "N = 112"), (670, 1160, "data")):
        sheet.line(left + 6, 320, right - 6, 320)
        sheet.line(left + 6, 305, left + 6, 335)
        sheet.line(right - 6, 305, right - 6, 335)
        sheet.text((left + right) / 2, 370, words, 36)
    sheet.text(600, 440, '"data_offsets": [16, 32]', 36)
    return sheet


def bytes_per_parameter() -> Sheet:
    """What mixed precision keeps for one parameter."""
    sheet = Sheet(600)
    sheet.text(600, 50, "1 parameter", 38, bold=True)
    parts = (("weight", "bf16", 1, BLUE), ("master", "fp32", 2, ORANGE), ("exp_avg", "fp32", 2, GREEN))
    left = 60.0
    for name, kind, units, fill in (*parts, ("exp_avg_sq", "fp32", 2, PINK)):
        width = units * 154
        sheet.box(left, 130, width, 170, f"{name}\n{kind}" if units == 2 else "weight\nbf16", fill, 34)
        left += width
    sheet.text(600, 360, "7 000 000 000 x", 44)
    sheet.arrow(600, 395, 600, 470)
    sheet.box(380, 480, 440, 90, "checkpoint: ? GB", GREY, 40)
    return sheet


def crash_cost() -> Sheet:
    """Saves each 40 minutes, a crash at 190."""
    sheet = Sheet(430)

    def at(minute: float) -> float:
        return 70 + minute * 5.3

    sheet.line(at(0), 240, at(208), 240, width=4)
    sheet.arrow(at(204), 240, at(212), 240)
    sheet.text(at(0), 290, "0", 34)
    for minute in (40, 80, 120, 160):
        sheet.box(at(minute) - 26, 140, 52, 52, "", GREEN)
        sheet.line(at(minute), 192, at(minute), 258)
        sheet.text(at(minute), 290, str(minute), 34)
    sheet.text(at(80), 80, "save", 38, bold=True)
    sheet.cross(at(190), 166, 30)
    sheet.line(at(190), 200, at(190), 258, RED)
    sheet.text(at(190), 290, "190", 34, colour=RED)
    sheet.text(at(190), 80, "crash", 38, colour=RED, bold=True)
    sheet.text(600, 380, "t, min", 34)
    return sheet


def dcp_rows() -> Sheet:
    """Twelve rows on six ranks, a file each."""
    sheet = Sheet(840)
    sheet.text(210, 45, "w", 40, bold=True)
    fills = (BLUE, ORANGE, GREEN, PINK, GREY, WHITE)
    for rank, fill in enumerate(fills):
        top = 80 + rank * 124
        for row in (0, 1):
            sheet.box(60, top + row * 56, 300, 56, f"row {rank * 2 + row}", fill, 32)
        sheet.text(560, top + 56, f"rank {rank}", 34)
        sheet.arrow(366, top + 56, 474, top + 56)
        sheet.arrow(646, top + 56, 754, top + 56)
        sheet.box(770, top + 14, 380, 86, f"__{rank}_0.distcp", fill, 36)
    return sheet


def resharding() -> Sheet:
    """Four files written by four ranks, read by ranks with another layout."""
    sheet = Sheet(760)
    sheet.text(200, 45, "save: 4 ranks", 36, bold=True)
    sheet.text(960, 45, "load: 3 ranks", 36, bold=True)
    for i in range(4):
        top = 90 + i * 162
        sheet.text(200, top + 22, f"__{i}_0.distcp", 32)
        for row in range(3):
            marked = i * 3 + row in (4, 5)
            sheet.box(40 + row * 108, top + 46, 108, 84, str(i * 3 + row), ORANGE if marked else COLOURS[0], 36)
    for rank in range(3):
        top = 110 + rank * 216
        sheet.text(960, top + 22, f"rank {rank}", 32)
        for row in range(4):
            number = rank * 4 + row
            fill = ORANGE if number in (4, 5) else GREEN
            sheet.box(760 + row * 100, top + 46, 100, 84, str(number), fill, 36)
    sheet.arrow(370, 380, 640, 380, dashed=True)
    sheet.text(690, 375, "?", 60, bold=True)
    sheet.text(505, 335, "w[4:6]", 34)
    return sheet


def page_cache() -> Sheet:
    """Where the bytes of a file are when the power fails."""
    sheet = Sheet(700)
    sheet.box(40, 60, 330, 130, "torch.save", BLUE, 38)
    sheet.text(530, 95, "write()", 32)
    sheet.arrow(374, 125, 690, 125)
    sheet.box(700, 60, 460, 130, "RAM: page cache", ORANGE, 38)
    sheet.box(700, 470, 460, 130, "disk", GREEN, 38)
    sheet.arrow(930, 195, 930, 462, dashed=True)
    sheet.text(1000, 330, "? s", 40)
    sheet.box(40, 280, 530, 110, "ck.tmp -> ck.pt", GREY, 38)
    sheet.text(300, 250, "os.replace()", 32)
    sheet.arrow(574, 340, 780, 462)
    sheet.text(300, 520, "power off", 40, colour=RED, bold=True)
    sheet.cross(300, 590, 30)
    sheet.text(300, 655, "t = 1 s", 32)
    return sheet


def pointer_timeline() -> Sheet:
    """A pointer that moves before the upload has ended."""
    sheet = Sheet(690)

    def at(step: float) -> float:
        return 300 + (step - 499) * 84

    rows = (("step-400", 170), ("step-500", 310), ("latest", 450))
    for name, y in rows:
        sheet.text(260, y, name, 34, ha="right")
    sheet.box(at(499), 135, at(500) - at(499), 70, "", GREEN)
    sheet.cross(at(500) + 40, 170, 24)
    sheet.text(at(500) + 80, 170, "deleted", 32, ha="left", colour=RED)
    sheet.box(at(500), 275, (at(507) - at(500)), 70, "upload 60 %", ORANGE, 34)
    sheet.box(at(507), 275, 170, 70, "", WHITE, lost=True)
    sheet.box(at(499), 415, at(500) - at(499), 70, "400", GREEN, 30)
    sheet.box(at(500), 415, at(507) - at(500), 70, "500", ORANGE, 34)
    sheet.line(at(507), 100, at(507), 560, RED, 5)
    sheet.text(at(507), 70, "node lost", 36, colour=RED, bold=True)
    sheet.line(at(499), 560, 1160, 560, width=4)
    for step in (500, 507):
        sheet.line(at(step), 548, at(step), 572)
        sheet.text(at(step), 605, str(step), 34)
    sheet.text(700, 655, "step", 34)
    return sheet


def zero_slices() -> Sheet:
    """One flat buffer cut for eight ranks and for four."""
    sheet = Sheet(620)
    sheet.text(600, 45, "fp32 flat buffer: p0 p1 p2", 36, bold=True)
    for left, width, name, fill in ((60, 430, "p0", BLUE), (490, 250, "p1", ORANGE), (740, 400, "p2", GREEN)):
        sheet.box(left, 80, width, 90, name, fill, 38)
    for y, ranks in ((270, 8), (460, 4)):
        width = 1080 / ranks
        sheet.text(60, y - 34, f"world size {ranks}", 34, ha="left", bold=True)
        for rank in range(ranks):
            sheet.box(60 + rank * width, y, width, 90, str(rank), GREY if rank % 2 else WHITE, 38)
    return sheet


def restart_test() -> Sheet:
    """Twenty steps in one go, against ten, a restart and ten."""
    sheet = Sheet(520)
    sheet.text(70, 145, "A", 40, bold=True)
    sheet.box(120, 100, 960, 90, "step 1 ... 20", BLUE, 36)
    sheet.text(70, 365, "B", 40, bold=True)
    sheet.box(120, 320, 440, 90, "step 1 ... 10", BLUE, 36)
    sheet.box(640, 320, 440, 90, "step 11 ... 20", ORANGE, 36)
    sheet.arrow(562, 365, 638, 365, RED)
    sheet.text(600, 450, "save / load", 34, colour=RED)
    sheet.line(1100, 145, 1150, 145)
    sheet.line(1100, 365, 1150, 365)
    sheet.line(1150, 145, 1150, 365)
    sheet.text(1130, 255, "max |A - B| = 0.0003", 34, ha="right")
    return sheet


def loss_jump() -> Sheet:
    """The validation loss before and after a resume."""
    sheet = Sheet(700)
    axes = sheet.figure.add_axes((0.15, 0.12, 0.81, 0.82))
    before = [(i, 0.262 + 0.05 * 0.9**i) for i in range(41)]
    after = [(40, 0.262), (41, 0.322)] + [(41 + i, 0.262 + 0.06 * 0.93**i) for i in range(1, 40)]
    axes.plot(*zip(*before, strict=True), color="#1565c0", linewidth=5)
    axes.plot(*zip(*after, strict=True), color=RED, linewidth=5)
    axes.axvline(40, color=INK, linestyle="dashed", linewidth=2.5)
    axes.set_ylim(0.24, 0.34)
    axes.set_yticks([0.262, 0.322])
    axes.set_xticks([40], ["t"])
    axes.text(43, 0.322, "t + 1", fontsize=25, family=MONO, va="center")
    axes.tick_params(labelsize=24, length=8, width=2)
    axes.set_ylabel("val loss", fontsize=25, family=MONO)
    axes.text(39, 0.334, "resume", fontsize=25, family=MONO, ha="right", va="center")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return sheet


def lr_resume() -> Sheet:
    """A linear schedule and the point where a run stopped."""
    sheet = Sheet(680)
    axes = sheet.figure.add_axes((0.15, 0.17, 0.81, 0.77))
    axes.plot(
        range(11), [0.02 * (1 - e / 10) for e in range(11)], color="#1565c0", linewidth=5, marker="o", markersize=12
    )
    axes.plot([6], [0.008], marker="o", markersize=24, color=RED)
    axes.axvline(6, color=INK, linestyle="dashed", linewidth=2.5)
    axes.set_xticks(range(11))
    axes.set_yticks([0, 0.008, 0.02])
    axes.tick_params(labelsize=24, length=8, width=2)
    axes.set_ylabel("lr", fontsize=26, family=MONO)
    axes.set_xlabel("e", fontsize=26, family=MONO)
    axes.text(6.2, 0.0185, "stop", fontsize=26, family=MONO, color=RED)
    axes.text(7.3, 0.0105, "?", fontsize=40, family=MONO, color=RED)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return sheet


def overlapping_saves() -> Sheet:
    """Saves that begin each ten minutes and take fourteen."""
    sheet = Sheet(600)

    def at(minute: float) -> float:
        return 90 + minute * 29

    for i in range(3):
        start = i * 10
        end = min(start + 14, 36)
        top = 60 + i * 130
        sheet.box(at(start), top, at(end) - at(start), 100, "180 GB, 14 min", COLOURS[i], 32)
    sheet.line(at(0), 470, at(36), 470, width=4)
    for minute in (0, 10, 20, 30):
        sheet.line(at(minute), 40, at(minute), 484, GREY if minute else INK, 2, 0)
        sheet.text(at(minute), 515, str(minute), 34)
    sheet.text(600, 565, "t, min; RAM: 300 GB", 34)
    return sheet


PICTURES: dict[str, Callable[[], Sheet]] = {
    "hub-and-dcp": hub_and_dcp,
    "index-lookup": index_lookup,
    "safetensors-file": safetensors_file,
    "bytes-per-parameter": bytes_per_parameter,
    "crash-cost": crash_cost,
    "dcp-rows": dcp_rows,
    "resharding": resharding,
    "page-cache": page_cache,
    "pointer-timeline": pointer_timeline,
    "zero-slices": zero_slices,
    "restart-test": restart_test,
    "loss-jump": loss_jump,
    "lr-resume": lr_resume,
    "overlapping-saves": overlapping_saves,
}


def main() -> None:
    mpl.use("agg")
    for name, draw in PICTURES.items():
        sheet = draw()
        target = Path(__file__).with_name(f"{name}.png")
        sheet.figure.savefig(target, dpi=DOTS, facecolor=WHITE, metadata={"Software": None})
        pyplot.close(sheet.figure)
        print(target.name)


if __name__ == "__main__":
    main()
