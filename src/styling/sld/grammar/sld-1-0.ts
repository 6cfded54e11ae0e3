/** What the elements of SLD 1.0.0 hold, with the extensions that are common in the field. */
import { commonGrammar } from './common-grammar.ts';
import {
  anyOrder,
  anyOrderAndMany,
  elements,
  elementsWith,
  extensible,
  type Grammar,
  many,
  maybe,
  one,
  some,
} from './content.ts';
import { filterGrammar } from './filter-grammar.ts';
import { commonExpressions, symbolizers } from './names.ts';

const heading = [maybe('Name'), maybe('Title'), maybe('Abstract')];
const uom = { uom: 'optional' } as const;

export const sld10Grammar: Grammar = new Map([
  ...commonGrammar,
  ...filterGrammar(commonExpressions),
  ['StyledLayerDescriptor', elementsWith({ version: 'optional' }, ...heading, many('NamedLayer', 'UserLayer'))],
  ['NamedLayer', elements(one('Name'), maybe('LayerFeatureConstraints'), many('NamedStyle', 'UserStyle'))],
  ['NamedStyle', elements(one('Name'))],
  [
    'UserLayer',
    elements(maybe('Name'), maybe('RemoteOWS', 'InlineFeature'), maybe('LayerFeatureConstraints'), some('UserStyle')),
  ],
  ['LayerFeatureConstraints', elements(some('FeatureTypeConstraint'))],
  ['UserStyle', elements(...heading, maybe('IsDefault'), maybe('Background'), some('FeatureTypeStyle'))],
  ['Background', elements(anyOrderAndMany('GraphicFill', 'CssParameter'))],
  [
    'FeatureTypeStyle',
    extensible(
      {},
      ...heading,
      maybe('FeatureTypeName'),
      many('SemanticTypeIdentifier'),
      maybe('Transformation'),
      some('Rule'),
    ),
  ],
  [
    'Rule',
    // A rule without symbolizers is common as "draw nothing for these".
    extensible(
      {},
      ...heading,
      maybe('LegendGraphic'),
      maybe('Filter', 'ElseFilter'),
      maybe('MinScaleDenominator'),
      maybe('MaxScaleDenominator'),
      { ...many(...symbolizers), called: 'a symbolizer' },
    ),
  ],
  ['Geometry', elements({ ...one(...commonExpressions), called: 'an expression' })],
  ['PointSymbolizer', extensible(uom, maybe('Geometry'), maybe('Graphic'))],
  ['LineSymbolizer', extensible(uom, maybe('Geometry'), maybe('Stroke'), maybe('PerpendicularOffset'))],
  [
    'PolygonSymbolizer',
    extensible(
      uom,
      maybe('Geometry'),
      maybe('Fill'),
      maybe('Stroke'),
      maybe('Displacement'),
      maybe('PerpendicularOffset'),
    ),
  ],
  [
    'TextSymbolizer',
    // The extensions have no agreed place, and examples everywhere mix the order of the rest.
    extensible(
      uom,
      maybe('Geometry'),
      anyOrder(
        'Label',
        'Font',
        'LabelPlacement',
        'Halo',
        'Fill',
        'Graphic',
        'Priority',
        'Snippet',
        'FeatureDescription',
        'OtherText',
      ),
    ),
  ],
  [
    'RasterSymbolizer',
    // A sequence in the schema, which common writers of styles do not keep to.
    extensible(
      uom,
      maybe('Geometry'),
      anyOrder(
        'Opacity',
        'ChannelSelection',
        'OverlapBehavior',
        'ColorMap',
        'ContrastEnhancement',
        'ShadedRelief',
        'ImageOutline',
      ),
    ),
  ],
  ['Fill', elements(anyOrderAndMany('GraphicFill', 'CssParameter'))],
  ['Stroke', elements(anyOrderAndMany('GraphicFill', 'GraphicStroke', 'CssParameter'))],
  ['CssParameter', { kind: 'parameter', attributes: { name: 'required' } }],
  ['Font', elements(many('CssParameter'))],
  ['GraphicStroke', elements(one('Graphic'))],
  [
    'Graphic',
    elements(
      many('ExternalGraphic', 'Mark'),
      maybe('Opacity'),
      maybe('Size'),
      maybe('Rotation'),
      maybe('AnchorPoint'),
      maybe('Displacement'),
    ),
  ],
  ['Mark', elements(maybe('WellKnownName'), maybe('Fill'), maybe('Stroke'))],
  ['ExternalGraphic', elements(one('OnlineResource', 'InlineContent'), one('Format'))],
  ['LinePlacement', elements(maybe('PerpendicularOffset'))],
  ['ColorMap', elementsWith({ type: 'optional', extended: 'optional' }, many('ColorMapEntry'))],
]);
