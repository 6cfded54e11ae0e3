/** Properties that become vendor options, and the names these have in SLD. */
import {
  choice,
  flag,
  length,
  lengthTerm,
  number,
  orNone,
  size,
  termsOf,
  text,
  type ValueKind,
  wholeNumber,
} from './value-kind.ts';

export interface VendorProperty {
  readonly property: string;
  readonly option: string;
  readonly kind: ValueKind;
}

const row = (property: string, option: string, kind: ValueKind): VendorProperty => ({ property, option, kind });

const margin = termsOf('one to four lengths', [1, 2, 3, 4], lengthTerm);
const inclusion = choice('normal', 'legendOnly', 'mapOnly');

/** Of text symbolizers. */
export const labelOptions: readonly VendorProperty[] = [
  row('label-padding', 'spaceAround', length),
  row('label-group', 'group', flag),
  row('label-max-displacement', 'maxDisplacement', size),
  row('label-min-group-distance', 'minGroupDistance', length),
  row('label-repeat', 'repeat', size),
  row('label-all-group', 'labelAllGroup', flag),
  row('label-remove-overlaps', 'removeOverlaps', flag),
  row('label-allow-overruns', 'allowOverruns', flag),
  row('label-follow-line', 'followLine', flag),
  row('label-max-angle-delta', 'maxAngleDelta', number),
  row('label-auto-wrap', 'autoWrap', size),
  row('label-force-ltr', 'forceLeftToRight', flag),
  row('label-conflict-resolution', 'conflictResolution', flag),
  row('label-fit-goodness', 'goodnessOfFit', number),
  row('label-kerning', 'kerning', flag),
  row('label-polygon-align', 'polygonAlign', choice('manual', 'ortho', 'mbr', 'none')),
  row('label-underline-text', 'underlineText', flag),
  row('label-strikethrough-text', 'strikethroughText', flag),
  row('label-char-spacing', 'charSpacing', length),
  row('label-word-spacing', 'wordSpacing', length),
  row('label-partials', 'partials', flag),
  row('label-displacement-mode', 'displacementMode', text),
  row('label-graphic-placement', 'graphicPlacement', choice('label', 'independent')),
  row('label-inclusion', 'inclusion', inclusion),
  row('font-shrink-size-min', 'fontShrinkSizeMin', size),
  row('shield-resize', 'graphic-resize', orNone(choice('stretch', 'proportional'))),
  row('shield-margin', 'graphic-margin', margin),
];

/** Of polygon symbolizers. */
export const fillOptions: readonly VendorProperty[] = [
  row('fill-label-obstacle', 'labelObstacle', flag),
  row('fill-inclusion', 'inclusion', inclusion),
  row('fill-random', 'random', orNone(choice('grid', 'free'))),
  row('fill-random-seed', 'random-seed', wholeNumber),
  row('fill-random-rotation', 'random-rotation', choice('none', 'free')),
  row('fill-random-symbol-count', 'random-symbol-count', wholeNumber),
  row('fill-random-tile-size', 'random-tile-size', size),
  row('fill-random-space-around', 'random-space-around', size),
  row('graphic-margin', 'graphic-margin', margin),
];

/** Of line symbolizers. */
export const strokeOptions: readonly VendorProperty[] = [
  row('stroke-label-obstacle', 'labelObstacle', flag),
  row('stroke-inclusion', 'inclusion', inclusion),
];

/** Of point symbolizers. */
export const markOptions: readonly VendorProperty[] = [
  row('mark-label-obstacle', 'labelObstacle', flag),
  row('mark-inclusion', 'inclusion', inclusion),
  row('mark-fallback-on-default', 'fallbackOnDefaultMark', flag),
];

/** Of raster symbolizers. */
export const rasterOptions: readonly VendorProperty[] = [
  row('raster-label-obstacle', 'labelObstacle', flag),
  row('raster-inclusion', 'inclusion', inclusion),
];

/** Of the contrast enhancement of a raster. */
export const contrastOptions: readonly VendorProperty[] = [
  row('rce-algorithm', 'algorithm', text),
  row('rce-min-value', 'minValue', number),
  row('rce-max-value', 'maxValue', number),
  row('rce-normalization-factor', 'normalizationFactor', number),
  row('rce-correction-factor', 'correctionFactor', number),
];

/** `random-seed` and the like are known without the `fill-` too. */
export const vendorProperties: readonly (readonly [string, ValueKind])[] = [
  ...labelOptions,
  ...fillOptions,
  ...strokeOptions,
  ...markOptions,
  ...rasterOptions,
  ...contrastOptions,
].flatMap(({ property, kind }) => [
  [property, kind] as const,
  ...(property.startsWith('fill-random') ? [[property.slice('fill-'.length), kind] as const] : []),
]);
