/** Tells how much work an SVG picture is, if it may be drawn: it reaches for nothing outside itself, and does not explode. */
import { Problem } from '../../lib/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { imageKind } from './image-kind.ts';

/** A symbol of a map is some kilobytes; drawing programs make them a hundred times as large. */
const maxCharacters = 500_000;
const limits = { maxDepth: 100, maxNodes: 50_000 };
/** About as much as is drawn in a tenth of a second, uses and patterns multiplied out. */
const maxWork = 10_000;
/** So many characters of attributes are as much work as one element: most of them are paths. */
const charactersPerWork = 64;
const maxEmbeddedPixels = 4_000_000;

/** Nothing of these is ever run or fetched by the renderer; a picture that has them is not one for a map. */
const refusedElements = new Set(['script', 'foreignObject', 'feImage', 'iframe', 'audio', 'video', 'canvas']);

/** How many elements there are to draw, or work that is as much; undefined if it may not be drawn. */
export function svgWork(text: string): number | undefined {
  if (text.length > maxCharacters || text.includes('<?xml-stylesheet')) return undefined;
  const root = parsed(text);
  if (root?.local !== 'svg' || !isSelfContained(root)) return undefined;
  const { total } = new Work(root);
  return total <= maxWork ? total : undefined;
}

/** Undefined with a DOCTYPE too, and so without any entity. */
function parsed(text: string): XmlElement | undefined {
  try {
    return readXml(text, limits);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function isSelfContained(element: XmlElement): boolean {
  if (refusedElements.has(element.local)) return false;
  const isLink = element.local === 'a';
  return (
    element.attributes.every(({ local, value }) => {
      if ((local === 'href' || local === 'src') && !isLink && !isOwnReference(value)) return false;
      return local !== 'base' && hasOwnUrlsOnly(value);
    }) &&
    element.children.every((child) =>
      child.kind === 'text' ? element.local !== 'style' || isHarmlessCss(child.text) : isSelfContained(child),
    )
  );
}

function isOwnReference(href: string): boolean {
  const reference = href.trim();
  if (reference === '' || reference.startsWith('#')) return true;
  const embedded = /^data:image\/[a-z+]{2,10};base64,/.exec(reference);
  if (!embedded) return false;
  const image = imageKind(Buffer.from(reference.slice(embedded[0].length), 'base64'));
  // An SVG in an SVG would have to be checked as well, and one in that.
  if (!image || image.kind === 'svg') return false;
  return (image.width ?? 0) * (image.height ?? 0) <= maxEmbeddedPixels;
}

function isHarmlessCss(css: string): boolean {
  // A backslash could spell any of the words looked for.
  return !css.includes('\\') && !css.toLowerCase().includes('@import') && hasOwnUrlsOnly(css);
}

function hasOwnUrlsOnly(text: string): boolean {
  return [...text.matchAll(/url\s*\(\s*(.?.?)/gis)].every(([, start = '']) => /^["']?#/.test(start));
}

/** Counts how much there is to draw where elements refer to one another. */
class Work {
  readonly total: number;
  readonly #byId = new Map<string, XmlElement>();
  readonly #known = new Map<XmlElement, number>();

  constructor(root: XmlElement) {
    this.#collect(root);
    this.total = this.#of(root);
  }

  #collect(element: XmlElement): void {
    const id = element.attributes.find(({ name }) => name === 'id')?.value;
    if (id !== undefined) this.#byId.set(id, element);
    for (const child of element.children) if (child.kind === 'element') this.#collect(child);
  }

  #of(element: XmlElement): number {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    // Who comes back here while it is still counted refers to itself, for ever.
    this.#known.set(element, Number.POSITIVE_INFINITY);
    const work = this.#count(element);
    this.#known.set(element, work);
    return work;
  }

  #count(element: XmlElement): number {
    let work = ownWork(element);
    for (const { local, value } of element.attributes) {
      work += value.length / charactersPerWork;
      // A marker stands at every corner of its line.
      const times = local.startsWith('marker') ? cornersOf(element) : 1;
      for (const id of referencesIn(local, value)) {
        const target = this.#byId.get(id);
        if (target) work += this.#of(target) * times;
      }
    }
    for (const child of element.children) {
      work += child.kind === 'text' ? child.text.length / charactersPerWork : this.#of(child);
    }
    return work;
  }
}

/** Effects and masks go over all pixels of the picture, again and again. */
function ownWork({ local, attributes }: XmlElement): number {
  if (/^fe[A-Z]/.test(local)) return 1000;
  if (local === 'mask') return 500;
  return attributes.some(({ name }) => name === 'opacity' || name === 'style') ? 20 : 1;
}

function cornersOf({ attributes }: XmlElement): number {
  return attributes.find(({ name }) => name === 'd' || name === 'points')?.value.length ?? 1;
}

function referencesIn(attribute: string, value: string): readonly string[] {
  if (attribute === 'href') return value.trim().startsWith('#') ? [value.trim().slice(1)] : [];
  return [...value.matchAll(/url\s*\(\s*["']?#([^"')\s]+)/gi)].map(([, id = '']) => id);
}
