"""Tables: which package or library provides a command, an environment, a key. Patterns for `needs` and `repair`."""

from __future__ import annotations

# package: (environments, commands), each a pattern for the whole name. The order is the order of loading.
PACKAGES: dict[str, tuple[str, str]] = {
    "amsmath": (
        r"(?:align|gather|multline|equation|alignat|flalign)\*?|(?:split|cases|aligned|gathered|subarray)|[pbBvV]?matrix"
        r"|smallmatrix",
        r"text|[dt]frac|[dt]?binom|cfrac|operatorname|boldsymbol|eqref|overset|underset|substack|tfrac|dots[cbmio]"
        r"|[iv]+nt|iint|iiint|xrightarrow|xleftarrow|intertext|DeclareMathOperator|implies|impliedby|hdotsfor|lvert|rvert"
        r"|lVert|rVert|tag|numberwithin",
    ),
    "amssymb": (
        "",
        r"mathbb|mathfrak|varnothing|[lg]eqslant|[lg]trsim|blacksquare|square|therefore|because|nexists|complement|subsetneq"
        r"|supsetneq|rightsquigarrow|leadsto|lozenge|checkmark|twoheadrightarrow|hookrightarrow|rightleftharpoons|triangleq"
        r"|blacktriangle\w*|trianglerighteq|trianglelefteq|vartriangle\w*|bigstar|circledR|hbar|hslash|nleq|ngeq|nmid"
        r"|nsubseteq|upharpoonright|curvearrow\w+|circlearrow\w+|ltimes|rtimes|Vdash|vDash|beth|digamma|eth|ulcorner"
        r"|urcorner|measuredangle|sphericalangle|lessdot|gtrdot|precsim|succsim|backsim|Bbbk|thickapprox|dashrightarrow",
    ),
    "mathtools": (
        r"[pbBvV]matrix\*|dcases|rcases",
        r"coloneqq|eqqcolon|mathclap|mathllap|mathrlap|DeclarePairedDelimiter",
    ),
    "bm": ("", r"bm"),
    "mathrsfs": ("", r"mathscr"),
    "graphicx": ("", r"includegraphics|rotatebox|scalebox|resizebox|reflectbox"),
    "xcolor": ("", r"textcolor|color|definecolor|colorbox|fcolorbox|colorlet|pagecolor"),
    "array": ("", r"newcolumntype|arraybackslash"),
    "booktabs": ("", r"toprule|midrule|bottomrule|cmidrule|addlinespace"),
    "multirow": ("", r"multirow"),
    "siunitx": ("", r"SI|si|qty|unit|num|ang|SIrange|qtyrange|numrange|sisetup|DeclareSIUnit|tablenum"),
    "gensymb": ("", r"degree|celsius|perthousand"),
    "mhchem": ("", r"ce|cee|cf"),
    "cancel": ("", r"cancel|bcancel|xcancel|cancelto"),
    "pifont": ("", r"ding|dingfill"),
    "fontawesome5": ("", r"faIcon|fa[A-Z]\w*"),
    "braket": ("", r"ket|bra|braket|Ket|Bra|Braket"),
    "physics": ("", r"pdv|dv|abs|norm|laplacian|expval|mel"),
    "eurosym": ("", r"euro"),
    "xstring": ("", r"IfStr\w*|StrLen|StrSubstitute|StrLeft|StrRight|StrMid|IfSubStr|IfEq|IfEqCase"),
    "ifthen": ("", r"ifthenelse|whiledo|equal|newboolean|setboolean"),
    "etoolbox": (
        "",
        r"ifstrequal|ifdefstring|ifnumcomp|ifnumless|ifnumgreater|ifnumequal|forcsvlist|patchcmd|ifblank",
    ),
    "xparse": ("", r"NewDocumentCommand|IfNoValueTF|IfBooleanTF|NewDocumentEnvironment"),
    "listings": (r"lstlisting", r"lstset|lstinline|lstinputlisting"),
    "tikz": (
        r"tikzpicture|pgfonlayer|pgfscope|pgfpicture|scope|tikzfadingfrompicture|pgfinterruptpicture",
        r"tikz|tikzset|tikzstyle|draw|fill|filldraw|shade|shadedraw|node|coordinate|path|matrix|pic|clip|foreach|pgf[a-z]+\w*"
        r"|usetikzlibrary|breakforeach|tikzmath|tikzfading|useasboundingbox|scoped|graph|calendar|spy|turtle|datavisualization"
        r"|usepgflibrary|pattern|usegdlibrary",
    ),
    "pgfplots": (
        r"axis|(?:semilog[xy]|loglog)axis|groupplot|polaraxis|ternaryaxis|smithchart|pgfplotsinterruptdatabb",
        r"addplot\d?\+?|pgfplotsset|usepgfplotslibrary|addlegendentry|nextgroupplot|pgfplots\w+|addlegendimage|axispath"
        r"|legend|closedcycle|pgfplotsinvokeforeach",
    ),
    "pgfplotstable": ("", r"pgfplotstable\w+"),
    "circuitikz": (r"circuitikz", r"ctikzset|circuitikz\w*|ctikzloadstyle|ctikzsubcircuit\w*|ctikzvalof"),
    "chemfig": (
        r"",
        r"chemfig|setchemfig|schemestart|schemestop|chemmove|chemname|definesubmol|charge|Charge|chemabove|chembelow"
        r"|chemleft|chemright|polymerdelim|chemnameinit|redefinesubmol|printatom|setcharge|lewis|Lewis|hflipnext|vflipnext",
    ),
    "tkz-euclide": ("", r"tkz[A-Z]\w*|usetkzobj|usetkztool"),
    "tkz-graph": (
        "",
        r"GraphInit|SetVertex\w+|SetUpEdge|SetUpVertex|SetGraph\w+|Vertices|EA|WE|SO|NO|NOEA|NOWE|SOEA|SOWE|AddVertexColor"
        r"|Edges|SetVertexNormal",
    ),
    "tikz-network": (
        "",
        r"SetVertexStyle|SetEdgeStyle|SetDefaultUnit|SetDistanceScale|SetLayerDistance|SetPlane\w+|Plane",
    ),
    "tikz-3dplot": ("", r"tdplot\w+"),
    "tikz-cd": (r"tikzcd", r"arrow|arw"),
    "forest": (r"forest", r"Forest|forestset|useforestlibrary|bracketset|forestapplylibrarydefaults"),
    "tikz-qtree": ("", r"Tree|qroof"),
    "tikz-timing": (r"tikztimingtable", r"texttiming|timing"),
    "tikz-dependency": (r"dependency|deptext", r"depedge|deproot|wordgroup|groupedge"),
    "tikz-feynman": (r"feynman", r"feynmandiagram|feynmandiagram\*|tikzfeynmanset|diagram|vertex"),
    "pgfgantt": (r"ganttchart", r"gantt\w+|ganttset"),
    "pgf-pie": ("", r"pie"),
    "smartdiagram": ("", r"smartdiagram\w*|usesmartdiagramlibrary"),
    "tikzpeople": ("", r"tikzpeople"),
    "tikzducks": ("", r"duck|randuck"),
    "karnaugh-map": (r"karnaugh-map", r"implicant\w*|minterms|maxterms|autoterms"),
    "sankey": (r"sankeydiagram", r"sankey\w+"),
    "bytefield": (r"bytefield", r"bitheader|bitbox|wordbox"),
    "quantikz": (r"quantikz", r"ctrl|targ|gate|qw|lstick|rstick|meter"),
    "venndiagram": (r"venndiagram[23]sets", r"fillA|fillB|fillACapB"),
    "tcolorbox": (r"tcolorbox|tcbraster", r"tcbset|tcbox|newtcolorbox|tcbuselibrary|newtcbox"),
    "overpic": (r"overpic", ""),
    "adjustbox": (r"adjustbox", r"adjustbox|adjincludegraphics"),
    "hyperref": ("", r"href|url|hypersetup|hyperlink|hypertarget"),
    "lipsum": ("", r"lipsum"),
}
# package: keys that tell of it inside a plain tikzpicture
PACKAGE_KEYS: dict[str, str] = {
    "circuitikz": r"\bto\s*\[(?:[^\]\n]{0,80},)?\s*(?:european |american |variable |generic )?(?:resistor|capacitor"
    r"|inductor|R|vR|C|pC|L"
    r"|V|I|sV|sI|cV|cI|cvsource|cisource|D\*?|Do|zD|leD|battery[12]?|[vi]source(?:sin|square)?|lamp|bulb|ammeter"
    r"|voltmeter|ohmmeter|short|open|n[oc]s|spst|switch|fuse|crystal|memristor|diode|leD)\b\*?\s*[=,\]_^<>]"
    r"|\bnode\s*\[(?:[^\]\n]{0,80},)?\s*(?:op amp|(?:npn|pnp|n?mos|p?mos|nmos|pmos|nigfete|njfet)\b"
    r"|(?:r?ground|vcc|vee)\b"
    r"|american \w+ port)",
}
# Commands that mean a package only beside another sign of it: short or common names of big packages.
ONLY_WITHIN: dict[str, str] = {
    "tikz-cd": r"\\begin\{tikzcd\}|\\tikzcdset",
    "tikz-feynman": r"\\begin\{feynman\}|\\feynmandiagram",
    "quantikz": r"\\begin\{quantikz\}",
    "tikz-dependency": r"\\begin\{(?:dependency|deptext)\}",
    "karnaugh-map": r"\\begin\{karnaugh-map\}",
    "bytefield": r"\\begin\{bytefield\}",
    "venndiagram": r"\\begin\{venndiagram",
    "physics": r"\\(?:pdv|dv|expval|laplacian)\b",
    "braket": r"\\(?:ket|bra|braket|Ket|Bra|Braket)\s*\{",
    "tikz-timing": r"\\begin\{tikztimingtable\}|\\texttiming",
}

TIP = (
    r"Stealth|Latex|Triangle|Circle|Square|Diamond|Kite|Bar|Bracket|Hooks|Implies|Rectangle|Ellipse|Rays|Parenthesis|Rightarrow"
    r"|To|Turned Square|Straight Barb|Arc Barb|Tee Barb|Classical TikZ Rightarrow|Computer Modern Rightarrow|Butt Cap"
    r"|Round Cap|Triangle Cap|Fast Round|Fast Triangle"
)
# library: keywords of its keys and shapes, as a pattern; they count within brackets or before an equals sign
TIKZ_LIBRARIES: dict[str, str] = {
    "arrows.meta": rf"(?<=[-<>=|{{,\[.])\s*(?:{TIP})(?=\s*[\[\]}},<>.-]|$)|\btips\s*=",
    "arrows": r"(?:stealth|latex|angle|triangle|open triangle|diamond|square|hooks?|left to|right to) ?"
    r"(?:'|\d\d|reversed)"
    r"|\b(?:left|right) hook\b|-o\b(?!\))|\bangle (?:45|60|90)\b|open diamond|\bo-",
    "positioning": r"\b(?:above|below|left|right|(?:base|mid) (?:left|right))(?: left| right)?\s*=\s*[^,\]=]*?\bof\b"
    r"|\bon grid\b",
    "intersections": r"name intersections|name path|intersection segments",
    "through": r"circle through",
    "angles": r"\b(?:right )?angle\s*=\s*[^,\]]*--|angle radius|angle eccentricity",
    "quotes": r"(?<![^,{\n])\s*\"[^\"\n]*\"",
    "shapes.geometric": r"diamond|ellipse|trapezium|semicircle|regular polygon|star(?: points)?|isosceles triangle|kite"
    r"|dart|circular sector|cylinder",
    "shapes.misc": r"cross out|strike out|(?:rounded|chamfered) rectangle",
    "shapes.symbols": r"(?:correct )?forbidden sign|cloud(?: puffs)?|starburst|signal|(?:magnetic )?tape"
    r"|magnifying glass",
    "shapes.arrows": r"(?:single|double) arrow|arrow box",
    "shapes.multipart": r"(?:rectangle|circle|ellipse|diamond|circle solidus) split|circle solidus",
    "shapes.callouts": r"(?:rectangle|ellipse|cloud) callout|callout (?:absolute|relative) pointer",
    "shapes.gates.logic.US": r"(?:and|nand|or|nor|xor|xnor|not|buffer) gate(?: US)?",
    "circuits.logic.US": r"circuit logic US",
    "circuits.logic.IEC": r"circuit logic IEC",
    "circuits.logic.CDH": r"circuit logic CDH",
    "circuits.ee.IEC": r"circuit ee IEC",
    "decorations.pathmorphing": r"snake|zigzag|coil|random steps|bent|saw|straight zigzag|bumps|lineto",
    "decorations.pathreplacing": r"brace|ticks|expanding waves|waves|border|show path construction|curveto",
    "decorations.markings": r"markings|mark\s*=\s*(?:at position|between positions|connection node)",
    "decorations.text": r"text along path|text effects along path|text align|text color\s*=",
    "decorations.fractals": r"Koch (?:curve|snowflake)[\w ]*|Cantor set",
    "decorations.shapes": r"crosses|triangles|shape backgrounds",
    "decorations.footprints": r"footprints",
    "patterns": r"pattern(?: color)?\s*=",
    "patterns.meta": r"pattern\s*=\s*\{?\s*(?:Lines|Hatch|Dots|Stars)\b",
    "automata": r"state(?: with output| without output)?|accepting(?: \w+)*|initial(?: \w+)*",
    "matrix": r"matrix of (?:math )?nodes|left delimiter|right delimiter|(?:row|column) \d+/",
    "backgrounds": r"on background layer|framed|gridded|tight background|show background \w+|inner frame (?:x|y)?sep",
    "fit": r"fit\s*=",
    "shadows": r"(?:drop|copy|double copy|circular drop|general) shadow|circular glow",
    "shadows.blur": r"blur shadow",
    "fadings": r"path fading|scope fading|fading\s*=|fit fading",
    "shadings": r"(?:upper|lower) (?:left|right)\s*=|color wheel[\w ]*|Mandelbrot set|bilinear",
    "mindmap": r"mindmap|concept(?: color| connection)?|small mindmap",
    "trees": r"grow via three points|grow cyclic|edge from parent fork \w+|(?:counter)?clockwise from",
    "spy": r"spy (?:using \w+|scope|connection path)|spy",
    "plotmarks": r"mark\s*=\s*(?:(?:half)?(?:triangle|square|diamond|circle|pentagon)\*?(?:\s*left|\s*right)?"
    r"|otimes\*?|oplus\*?|asterisk|star|10-pointed star|Mercedes star[\w ]*|heart|text|ball|-|\|)",
    "3d": r"canvas is [xyz]{2} plane at [xyz]|plane origin|plane [xy]\s*=",
    "perspective": r"3d view|isometric view|perspective|[xyz] vanishing point|vanishing point",
    "turtle": r"turtle",
    "lindenmayersystems": r"[Ll]indenmayer system|l-system",
    "chains": r"on chain|start chain|start branch|continue chain|continue branch",
    "er": r"(?:every )?(?:entity|relationship|attribute)|key attribute",
    "petri": r"(?:every )?(?:place|transition)|tokens|token distance|children are tokens|(?:colored|structured) tokens",
    "folding": r"folding line length|(?:\w+ ){1,3}folding",
    "views": r"meet|slice",
    "bending": r"bend(?=\])|flex'?(?:\s*=)?|quick",
    "svg.path": r"svg\b",
    "bbox": r"bezier bounding box",
    "hobby": r"hobby|use Hobby shortcut|curve through",
    "knots": r"clip width|end tolerance|flip crossing",
    "graphs": r"graphs/|nodes\s*=\s*\{?as",
    "topaths": r"every loop",
    "external": r"external/",
    "calligraphy": r"calligraphic (?:brace|curved brace|straight parenthesis)|calligraphy",
}
# library: a pattern over the whole code
TIKZ_LIBRARY_SIGNS: dict[str, str] = {
    "calc": r"\(\s*(?:\[[^\]]*\]\s*)?\$|\blet\s*\\[pnx]",
    "graphs": r"\\graph\b|\\path\s*graph\b|\bgraph\s*\[[^\]]*\]\s*\{|\\tikz\s*\\graph",
    "graphs.standard": r"subgraph\s+\w",
    "graphdrawing": r"\\usegdlibrary|(?:tree|spring|electrical|layered|necklace|circular) layout",
    "calendar": r"\\calendar\b",
    "math": r"\\tikzmath\b",
    "turtle": r"\\turtle\b|\bturtle\s*=",
    "spy": r"\\spy\b",
    "datavisualization": r"\\datavisualization\b",
    "tikzmark": r"\\tikzmark\b|\\subnode\b|pic cs:",
    "knots": r"\\begin\{knot\}|\\strand\b",
    "braids": r"\\braid\b|pic\{braid",
    "fadings": r"\\begin\{tikzfadingfrompicture\}|\\tikzfading\b",
    "backgrounds": r"on background layer|\\begin\{pgfonlayer\}\{background\}",
    "scopes": r"^[ \t]*\{[ \t]*\[[^\]\n]*\][ \t]*(?:\\|$)",
    "svg.path": r"\bsvg\s*(?:\[[^\]]*\]\s*)?[\"{]",
    "decorations": r"\bdecorate\b",
}
PGFPLOTS_LIBRARIES: dict[str, str] = {
    "fillbetween": r"fill between|intersection segments",
    "groupplots": r"\\begin\{groupplot\}|group style|\\nextgroupplot",
    "polar": r"\\begin\{polaraxis\}",
    "statistics": r"boxplot|hist\s*=|\bhist\b",
    "ternary": r"\\begin\{ternaryaxis\}",
    "smithchart": r"\\begin\{smithchart\}",
    "colormaps": r"colormap/(?!(?:viridis|hot|hot2|jet|blackwhite|bluered|cool|greenyellow|redyellow|violet)\b)[a-z]",
    "colorbrewer": r"colormap/[A-Z]|cycle list/[A-Z]",
    "dateplot": r"date coordinates in",
    "units": r"[xyz] unit\s*=|change [xyz] base|use units",
    "patchplots": r"patch type\s*=|patch refines|patch to triangles",
    "decorations.softclip": r"soft clip",
    "clickable": r"clickable coords",
}
GRAPH_DRAWING: dict[str, str] = {
    "trees": r"(?:binary )?tree layout|extended binary tree layout|missing nodes get space",
    "layered": r"\blayered layout|\blayered\b",
    "force": r"spring (?:electrical )?layout",
    "circular": r"(?:simple necklace|circular) layout",
    "phylogenetics": r"phylogenetic tree layout",
}
