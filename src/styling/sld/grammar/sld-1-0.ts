/** What the elements of SLD 1.0.0 hold, with the extensions that are common in the field. */
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
// Documents of either version use the words of the other, which mean the same.
const mixedHeading = [maybe('Name'), tolerate(anyOrder('Title', 'Abstract'), 'Description')];
const paint = createPaintGrammar('CssParameter');
const uom = { uom: 'optional' } as const;

export const sld10Grammar: Grammar = new Map([
  ...commonGrammar,
  ...createFilterGrammar(commonExpressions),
  ['StyledLayerDescriptor', elementsWith({ version: 'optional' }, ...heading, many('NamedLayer', 'UserLayer'))],
  // The schema wants a name, but a style that is put on any layer often has none.
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
    // A rule without symbolizers is common as "draw nothing for these".
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
  ['Fill', elements(paint('GraphicFill'))],
  ['Stroke', elements(paint('GraphicFill', 'GraphicStroke'))],
  ['Font', elements(paint())],
  ['GraphicStroke', elements(one('Graphic'))],
  ['Mark', elements(maybe('WellKnownName'), maybe('Fill'), maybe('Stroke'))],
  ['ExternalGraphic', elements(one('OnlineResource', 'InlineContent'), one('Format'))],
  ['LinePlacement', elements(maybe('PerpendicularOffset'))],
  ['ColorMap', elementsWith({ type: 'optional', extended: 'optional' }, many('ColorMapEntry'))],
]);
