/** Writes fonts, halos and where labels stand. */
import type { Font, Halo, LabelPlacement, LinePlacement } from '../../model/symbolizer.ts';
import { maybeParameter, writeNamedParameter } from './expression.ts';
import { element, maybeText, type OutputElement } from './output.ts';
import { writeAnchorPoint, writeDisplacement, writeFill } from './paint.ts';
import type { Writing } from './writing.ts';

export function writeFont(writing: Writing, font: Font): OutputElement {
  return element(writing.symbol('Font'), [
    ...font.families.map((family) => writeNamedParameter(writing, 'font-family', family)),
    writeNamedParameter(writing, 'font-style', font.style),
    writeNamedParameter(writing, 'font-weight', font.weight),
    writeNamedParameter(writing, 'font-size', font.size),
  ]);
}

export function writeHalo(writing: Writing, halo: Halo): OutputElement {
  return element(writing.symbol('Halo'), [
    maybeParameter(writing, writing.symbol('Radius'), halo.radius),
    halo.fill && writeFill(writing, halo.fill),
  ]);
}

export function writeLabelPlacement(writing: Writing, placement: LabelPlacement): OutputElement {
  const content =
    placement.kind === 'linePlacement'
      ? writeLinePlacement(writing, placement)
      : element(writing.symbol('PointPlacement'), [
          placement.anchorPoint && writeAnchorPoint(writing, placement.anchorPoint),
          placement.displacement && writeDisplacement(writing, placement.displacement),
          maybeParameter(writing, writing.symbol('Rotation'), placement.rotation),
        ]);
  return element(writing.symbol('LabelPlacement'), [content]);
}

function writeLinePlacement(writing: Writing, placement: LinePlacement): OutputElement {
  const { perpendicularOffset, isRepeated, initialGap, gap, isAligned, generalizeLine } = placement;
  const repetition = [isRepeated, initialGap, gap, isAligned, generalizeLine];
  if (!writing.isSymbologyEncoding && repetition.some((each) => each !== undefined))
    writing.lose('how a label repeats along a line (IsRepeated, InitialGap, Gap, IsAligned, GeneralizeLine)');
  return element(writing.symbol('LinePlacement'), [
    maybeParameter(writing, writing.symbol('PerpendicularOffset'), perpendicularOffset),
    maybeText('se:IsRepeated', isRepeated),
    maybeParameter(writing, 'se:InitialGap', initialGap),
    maybeParameter(writing, 'se:Gap', gap),
    maybeText('se:IsAligned', isAligned),
    maybeText('se:GeneralizeLine', generalizeLine),
  ]);
}
