/** The separate script with the diagram library; nothing else is in it. */
import mermaid from "mermaid";
import type { MermaidScript } from "./diagrams";

const script: MermaidScript = {
  async draw(id, source, look) {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: "base",
      fontFamily: look.font,
      themeVariables: {
        darkMode: look.isDark,
        fontFamily: look.font,
        fontSize: "13px",
        background: look.background,
        primaryColor: look.node,
        primaryTextColor: look.text,
        primaryBorderColor: look.border,
        secondaryColor: look.node,
        tertiaryColor: look.group,
        lineColor: look.line,
        textColor: look.text,
        clusterBkg: look.group,
        clusterBorder: look.border,
        edgeLabelBackground: look.background,
        // Grey shadows and gradients lie over the borders that a theme of high contrast needs.
        dropShadow: "none",
        useGradient: false,
      },
      htmlLabels: false,
      flowchart: { useMaxWidth: true, wrappingWidth: 500, nodeSpacing: 30, rankSpacing: 40 },
      suppressErrorRendering: true,
      maxTextSize: 50_000,
    });
    const { svg } = await mermaid.render(id, source);
    return svg;
  },
};

window.scopeMermaid = script;
