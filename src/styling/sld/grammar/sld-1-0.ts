/** The content of the elements of SLD 1.0.0, with common extensions. */
import { commonGrammar, createPaintGrammar } from './common-grammar.ts';
import {
  anyOrder,
  elements,
  elementsWith,
  extensible,
  type Grammar,
  many,
  maybe,
  one,
  some,
  tolerate,
} from './content.ts';
import { createFilterGrammar } from './filter-grammar.ts';
import { commonExpressions, symbolizers } from './names.ts';

const heading = [maybe('Name'), maybe('Title'), maybe('Abstract')];
// Documents of either version use equivalent elements of the other.
const mixedHeading = [maybe('Name'), tolerate(anyOrder('Title', 'Abstract'), 'Description')];
const paint = createPaintGrammar('CssParameter');
const uom = { uom: 'optional' } as const;

export const sld10Grammar: Grammar = new Map([
  ...commonGrammar,
  ...createFilterGrammar(commonExpressions),
  ['StyledLayerDescriptor', elementsWith({ version: 'optional' }, ...heading, many('NamedLayer', 'UserLayer'))],
  // The schema requires a name, but styles for any layer often have none.
  ['NamedLayer', elements(maybe('Name'), maybe('LayerFeatureConstraints'), many('NamedStyle', 'UserStyle'))],
  ['NamedStyle', elements(one('Name'))],
  [
    'UserLayer',
    elements(maybe('Name'), maybe('RemoteOWS', 'InlineFeature'), maybe('LayerFeatureConstraints'), some('UserStyle')),
  ],
  ['LayerFeatureConstraints', elements(some('FeatureTypeConstraint'))],
  ['UserStyle', elements(...mixedHeading, maybe('IsDefault'), maybe('Background'), some('FeatureTypeStyle'))],
  ['Background', elements(paint('GraphicFill'))],
  [
    'FeatureTypeStyle',
    extensible(
      {},
      ...mixedHeading,
      maybe('FeatureTypeName'),
      many('SemanticTypeIdentifier'),
      maybe('Transformation'),
      some('Rule'),
    ),
  ],
  [
    'Rule',
    // A rule without symbolizers is common, and means "draw nothing".
    extensible(
      {},
      ...mixedHeading,
      maybe('LegendGraphic'),
      maybe('Filter', 'ElseFilter'),
      anyOrder('MinScaleDenominator', 'MaxScaleDenominator'),
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
    // The extensions have no defined position, and many examples mix the order of the rest.
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
    // The schema requires a sequence, which common style editors do not follow.
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
  ['Fill', elements(paint('GraphicFill'))],
  ['Stroke', elements(paint('GraphicFill', 'GraphicStroke'))],
  ['Font', elements(paint())],
  ['GraphicStroke', elements(one('Graphic'))],
  ['Mark', elements(maybe('WellKnownName'), maybe('Fill'), maybe('Stroke'))],
  ['ExternalGraphic', elements(one('OnlineResource', 'InlineContent'), one('Format'))],
  ['LinePlacement', elements(maybe('PerpendicularOffset'))],
  ['ColorMap', elementsWith({ type: 'optional', extended: 'optional' }, many('ColorMapEntry'))],
]);
