/** Finds inline SVG graphics that are not drawn, or not at the size in the style. */
import type { ExternalGraphic, Graphic, StyledLayerDescriptor } from '../../model/model.ts';
import { findImageKind } from './image-kind.ts';
import { readInlineBytes } from './pictures.ts';
import { checkSvg, computeMaxPixels } from './svg-check.ts';
import { decodeXmlText } from './svg-root.ts';

export interface GraphicFault {
  /** The end of a sentence. */
  readonly reason: string;
  /** Whether it exceeds the limits of time or memory; otherwise the next symbol of the style may replace it. */
  readonly isCostly: boolean;
}

/** The maximum number of checked graphics, because each check takes time. */
const MAX_GRAPHICS = 100;

/** Checks inline graphics only; external files are not read here. */
export function listInlineGraphicFaults(model: StyledLayerDescriptor): readonly GraphicFault[] {
  const graphics: InlineGraphic[] = [];
  collectInlineGraphics(model, false, graphics);
  return graphics.slice(0, MAX_GRAPHICS).flatMap((found) => findGraphicFault(found) ?? []);
}

interface InlineGraphic {
  readonly symbol: ExternalGraphic;
  /** In pixels; undefined if it depends on features or on the scale. */
  readonly size: number | undefined;
}

function collectInlineGraphics(part: object, hasUnits: boolean, found: InlineGraphic[]): void {
  const isScaled = hasUnits || ('uom' in part && part.uom !== undefined);
  if ('symbols' in part && Array.isArray(part.symbols)) {
    const { symbols, size } = part as Graphic;
    const pixels = size?.kind === 'literal' && !isScaled ? Number(size.value) : undefined;
    for (const symbol of symbols) {
      if (symbol.kind === 'externalGraphic' && symbol.source.kind !== 'online') found.push({ symbol, size: pixels });
    }
  }
  for (const inner of Object.values(part)) {
    if (typeof inner === 'object' && inner !== null) collectInlineGraphics(inner, isScaled, found);
  }
}

function findGraphicFault({ symbol, size }: InlineGraphic): GraphicFault | undefined {
  const bytes = readInlineBytes(symbol.source);
  const kind = bytes && findImageKind(bytes);
  const text = bytes && kind?.kind === 'svg' ? decodeXmlText(bytes) : undefined;
  if (kind === undefined || text === undefined) return undefined;
  const verdict = checkSvg(text);
  if (verdict.kind === 'refused') return verdict;
  const { width = 1, height = 1 } = kind;
  const [drawn, limit] = [((size ?? 0) ** 2 * width) / height, computeMaxPixels(verdict)];
  if (!(drawn > limit)) return undefined;
  return { reason: `its ${Math.round(drawn)} pixels at this size exceed the limit of ${limit}`, isCostly: true };
}
