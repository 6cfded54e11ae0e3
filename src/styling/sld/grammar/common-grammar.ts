/** The content of elements that both versions share. */
import {
  anyOrder,
  type Content,
  elements,
  elementsWith,
  many,
  maybe,
  one,
  parameter,
  type Step,
  text,
  translated,
} from './content.ts';
import { contrastMethods } from './names.ts';

/** Parameters in the notation of a version, and some elements at most once, in any order. */
export function createPaintGrammar(parameter: 'CssParameter' | 'SvgParameter') {
  return (...names: readonly string[]): Step => ({
    names: [...names, ...namedParameters],
    repeated: namedParameters,
    tolerated: namedParameters.filter((name) => name !== parameter),
  });
}

const namedParameters = ['CssParameter', 'SvgParameter'];
const href = { type: 'optional', href: 'optional' } as const;
const channel = elements(one('SourceChannelName'), maybe('ContrastEnhancement'));
const contrastMethod = elements(many('VendorOption'));

export const commonGrammar: readonly (readonly [string, Content])[] = [
  ['Name', text],
  ['Title', translated],
  ['Abstract', translated],
  ['Localized', { kind: 'text', attributes: { lang: 'required' } }],
  ['IsDefault', text],
  ['RemoteOWS', elements(one('Service'), one('OnlineResource'))],
  ['Service', text],
  ['OnlineResource', { kind: 'elements', steps: [], attributes: href }],
  ['InlineFeature', { kind: 'any' }],
  ['FeatureTypeConstraint', elements(maybe('FeatureTypeName'), maybe('Filter'), many('Extent'))],
  ['FeatureTypeName', text],
  ['Extent', { kind: 'elements', steps: [one('Name'), one('Value')], inside: { Value: text } }],
  ['SemanticTypeIdentifier', text],
  ['MinScaleDenominator', text],
  ['MaxScaleDenominator', text],
  ['LegendGraphic', elements(one('Graphic'))],
  ['VendorOption', { kind: 'parameter', attributes: { name: 'required' } }],
  ['GraphicFill', elements(one('Graphic'))],
  ['CssParameter', { kind: 'parameter', attributes: { name: 'required' } }],
  ['SvgParameter', { kind: 'parameter', attributes: { name: 'required' } }],
  [
    'Graphic',
    // The schema requires a sequence, which common style editors do not follow; QGIS adds colours and options.
    elements({
      names: [
        'ExternalGraphic',
        'Mark',
        'Opacity',
        'Size',
        'Rotation',
        'AnchorPoint',
        'Displacement',
        ...namedParameters,
        'VendorOption',
      ],
      repeated: ['ExternalGraphic', 'Mark', ...namedParameters, 'VendorOption'],
      tolerated: [...namedParameters, 'VendorOption'],
    }),
  ],
  ['Opacity', parameter],
  ['Size', parameter],
  ['Rotation', parameter],
  ['WellKnownName', parameter],
  ['Format', text],
  ['InlineContent', { kind: 'any', attributes: { encoding: 'required' } }],
  ['Label', parameter],
  ['Priority', parameter],
  ['Snippet', parameter],
  ['FeatureDescription', parameter],
  ['OtherText', { kind: 'parameter', attributes: { target: 'required' } }],
  ['LabelPlacement', elements(one('PointPlacement', 'LinePlacement'))],
  ['PointPlacement', elements(maybe('AnchorPoint'), maybe('Displacement'), maybe('Rotation'))],
  ['AnchorPoint', elements(one('AnchorPointX'), one('AnchorPointY'))],
  ['AnchorPointX', parameter],
  ['AnchorPointY', parameter],
  ['Displacement', elements(one('DisplacementX'), one('DisplacementY'))],
  ['DisplacementX', parameter],
  ['DisplacementY', parameter],
  ['PerpendicularOffset', parameter],
  ['Halo', elements(maybe('Radius'), maybe('Fill'))],
  ['Radius', parameter],
  // The reader checks the combination: either grey, or red, green and blue together.
  ['ChannelSelection', elements(anyOrder('RedChannel', 'GreenChannel', 'BlueChannel', 'GrayChannel'))],
  ['RedChannel', channel],
  ['GreenChannel', channel],
  ['BlueChannel', channel],
  ['GrayChannel', channel],
  ['SourceChannelName', parameter],
  ['OverlapBehavior', { kind: 'keyword', names: ['LATEST_ON_TOP', 'EARLIEST_ON_TOP', 'AVERAGE', 'RANDOM'] }],
  ['ColorMapEntry', elementsWith({ color: 'required', quantity: 'optional', opacity: 'optional', label: 'optional' })],
  ['ContrastEnhancement', elements(maybe(...contrastMethods), maybe('GammaValue'))],
  ...contrastMethods.map((name) => [name, contrastMethod] as const),
  ['GammaValue', parameter],
  ['ShadedRelief', elements(maybe('BrightnessOnly'), maybe('ReliefFactor'))],
  ['BrightnessOnly', text],
  ['ReliefFactor', parameter],
  ['ImageOutline', elements(one('LineSymbolizer', 'PolygonSymbolizer'))],
  ['Transformation', elements(one('Function'))],
];
