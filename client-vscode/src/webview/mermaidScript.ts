/** The separate script with the diagram library; nothing else is in it. */
import mermaid from "mermaid";
import type { MermaidScript } from "./diagrams";

const script: MermaidScript = {
  async draw(id, source, isDark, font) {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: isDark ? "dark" : "neutral",
      fontFamily: font,
      themeVariables: { fontFamily: font, fontSize: "13px" },
      htmlLabels: false,
      flowchart: { useMaxWidth: true },
      suppressErrorRendering: true,
      maxTextSize: 50_000,
    });
    const { svg } = await mermaid.render(id, source);
    return svg;
  },
};

window.scopeMermaid = script;
