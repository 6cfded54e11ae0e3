/** The content of the elements of SLD 1.1.0 and Symbology Encoding 1.1.0, with common extensions. */
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
  parameter,
  some,
  text,
  tolerate,
} from './content.ts';
import { createFilterGrammar } from './filter-grammar.ts';
import { commonExpressions, symbolizers, symbologyFunctions } from './names.ts';
import { symbologyGrammar } from './symbology-grammar.ts';

const expressions = [...commonExpressions, ...symbologyFunctions];
const heading = [maybe('Name'), maybe('Description')];
// Documents of either version use equivalent elements of the other.
const mixedHeading = [maybe('Name'), tolerate(anyOrder('Description'), 'Title', 'Abstract')];
const symbolizerHeading = [...heading, maybe('BaseSymbolizer'), maybe('Geometry')];
const paint = createPaintGrammar('SvgParameter');
const version = { version: 'optional' } as const;
const symbolizer = { version: 'optional', uom: 'optional' } as const;

export const sld11Grammar: Grammar = new Map([
  ...commonGrammar,
  ...createFilterGrammar(expressions),
  ...symbologyGrammar,
  ['StyledLayerDescriptor', elementsWith(version, ...heading, many('UseSLDLibrary'), many('NamedLayer', 'UserLayer'))],
  ['UseSLDLibrary', elements(one('OnlineResource'))],
  ['Description', elements(maybe('Title'), maybe('Abstract'))],
  [
    'NamedLayer',
    // The schema requires a name, but styles for any layer often have none.
    elements(maybe('Name'), maybe('Description'), maybe('LayerFeatureConstraints'), many('NamedStyle', 'UserStyle')),
  ],
  ['NamedStyle', elements(one('Name'), maybe('Description'))],
  [
    'UserLayer',
    elements(
      ...heading,
      maybe('RemoteOWS', 'InlineFeature'),
      maybe('LayerFeatureConstraints', 'LayerCoverageConstraints'),
      some('UserStyle'),
    ),
  ],
  ['LayerFeatureConstraints', elements(some('FeatureTypeConstraint'))],
  ['LayerCoverageConstraints', { kind: 'any' }],
  [
    'UserStyle',
    elements(
      ...mixedHeading,
      maybe('IsDefault'),
      maybe('Background'),
      some('FeatureTypeStyle', 'CoverageStyle', 'OnlineResource'),
    ),
  ],
  ['Background', elements(paint('GraphicFill'))],
  [
    'FeatureTypeStyle',
    extensible(
      version,
      ...mixedHeading,
      maybe('FeatureTypeName'),
      many('SemanticTypeIdentifier'),
      maybe('Transformation'),
      some('Rule', 'OnlineResource'),
    ),
  ],
  [
    'CoverageStyle',
    extensible(
      version,
      ...mixedHeading,
      maybe('CoverageName'),
      many('SemanticTypeIdentifier'),
      maybe('Transformation'),
      some('Rule', 'OnlineResource'),
    ),
  ],
  ['CoverageName', text],
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
  ['BaseSymbolizer', elements(one('OnlineResource'))],
  ['Geometry', elements({ ...one(...expressions), called: 'an expression' })],
  ['PointSymbolizer', extensible(symbolizer, ...symbolizerHeading, maybe('Graphic'))],
  ['LineSymbolizer', extensible(symbolizer, ...symbolizerHeading, maybe('Stroke'), maybe('PerpendicularOffset'))],
  [
    'PolygonSymbolizer',
    extensible(
      symbolizer,
      ...symbolizerHeading,
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
      symbolizer,
      ...symbolizerHeading,
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
      symbolizer,
      ...symbolizerHeading,
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
  // QGIS writes the graphic last, and adds a perpendicular offset.
  [
    'GraphicStroke',
    elements({ ...tolerate(anyOrder('Graphic', 'InitialGap', 'Gap'), 'PerpendicularOffset'), required: ['Graphic'] }),
  ],
  ['InitialGap', parameter],
  ['Gap', parameter],
  [
    'Mark',
    elements(
      maybe('WellKnownName', 'OnlineResource', 'InlineContent'),
      maybe('Format'),
      maybe('MarkIndex'),
      maybe('Fill'),
      maybe('Stroke'),
    ),
  ],
  ['MarkIndex', text],
  ['ExternalGraphic', elements(one('OnlineResource', 'InlineContent'), one('Format'), many('ColorReplacement'))],
  ['ColorReplacement', elements(one('Recode'))],
  [
    'LinePlacement',
    elements(
      maybe('PerpendicularOffset'),
      maybe('IsRepeated'),
      maybe('InitialGap'),
      maybe('Gap'),
      maybe('IsAligned'),
      maybe('GeneralizeLine'),
    ),
  ],
  ['IsRepeated', text],
  ['IsAligned', text],
  ['GeneralizeLine', text],
  // Entries belong to version 1.0.0, but support labels and opacities, so they are common in 1.1.0 too.
  [
    'ColorMap',
    elementsWith({ type: 'optional', extended: 'optional' }, maybe('Categorize', 'Interpolate'), many('ColorMapEntry')),
  ],
]);
