/** The second wall: whatever the renderer made of a document, only harmless HTML reaches the page. */
import type { DOMPurify, WindowLike } from "dompurify";
import createPurifier from "dompurify";

const TAGS = [
  "a", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
  "li", "ol", "p", "pre", "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
]; // prettier-ignore
const ATTRIBUTES = ["class", "data-href", "data-language", "href", "start"];

/** Makes fragments for one window; its document must be the page's own. */
export class Sanitiser {
  private readonly purifier: DOMPurify;

  constructor(window: WindowLike) {
    this.purifier = createPurifier(window);
    this.purifier.addHook("uponSanitizeAttribute", (_node, data) => {
      // Links lead nowhere by themselves; the panel asks the extension to follow data-href.
      data.keepAttr &&= data.attrName !== "href" || data.attrValue === "#";
    });
  }

  /** Returns an answer's HTML as nodes. */
  fragment(html: string): DocumentFragment {
    return this.purifier.sanitize(html, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
    });
  }

  /** Returns a drawn diagram as nodes: shapes and text, no scripts, links or foreign content. */
  diagram(svg: string): DocumentFragment {
    return this.purifier.sanitize(svg, {
      USE_PROFILES: { svg: true, svgFilters: true },
      FORBID_TAGS: ["a", "image", "foreignObject", "script", "use"],
      FORBID_ATTR: ["href", "xlink:href"],
      ADD_TAGS: ["style"],
      RETURN_DOM_FRAGMENT: true,
    });
  }
}
