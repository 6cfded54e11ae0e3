/** Writes the descriptor and its layers. */
import type {
  FeatureTypeConstraint,
  Layer,
  NamedLayer,
  NamedStyle,
  StyledLayerDescriptor,
  UserLayer,
} from '../../model/styled-layer-descriptor.ts';
import { gmlNamespace, ogcNamespace, seNamespace, sldNamespace, xlinkNamespace } from '../document/namespaces.ts';
import { writeFilter } from './filter.ts';
import { writeForeignElement } from './foreign.ts';
import { reportDescriptionLoss, writeDescription, writeHeading } from './heading.ts';
import { createElement, createOptionalText, createTextElement, type OutputElement } from './output.ts';
import { writeOnlineResource } from './paint.ts';
import { writeUserStyle } from './style.ts';
import type { SldWriteContext } from './write-context.ts';

export function writeDescriptor(writing: SldWriteContext, model: StyledLayerDescriptor): OutputElement {
  const libraries = model.libraries ?? [];
  if (libraries.length > 0 && !writing.isSymbologyEncoding) writing.reportLoss('a library of styles (UseSLDLibrary)');
  return createElement(
    'StyledLayerDescriptor',
    [
      ...writeHeading(writing, model),
      ...libraries.map((href) => createElement('UseSLDLibrary', [writeOnlineResource(writing, href)])),
      ...model.layers.map((layer, index) => writeLayer(writing, layer, index)),
    ],
    {
      version: writing.version,
      xmlns: sldNamespace,
      'xmlns:se': writing.isSymbologyEncoding ? seNamespace : undefined,
      'xmlns:ogc': ogcNamespace,
      'xmlns:gml': gmlNamespace,
      'xmlns:xlink': xlinkNamespace,
    },
  );
}

function writeLayer(writing: SldWriteContext, layer: Layer, index: number): OutputElement {
  const name = layer.kind === 'namedLayer' ? 'NamedLayer' : 'UserLayer';
  return writing.runInside(`${name}[${index + 1}]`, () => {
    reportDescriptionLoss(writing, layer);
    return layer.kind === 'namedLayer' ? writeNamedLayer(writing, layer) : writeUserLayer(writing, layer);
  });
}

function writeNamedLayer(writing: SldWriteContext, layer: NamedLayer): OutputElement {
  return createElement('NamedLayer', [
    createTextElement(writing.toSymbolName('Name'), layer.name),
    ...(writing.isSymbologyEncoding ? writeDescription(writing, layer) : []),
    writeConstraints(writing, layer.featureConstraints),
    ...layer.styles.map((style, index) =>
      style.kind === 'namedStyle'
        ? writing.runInside(`NamedStyle[${index + 1}]`, () => writeNamedStyle(writing, style))
        : writing.runInside(`UserStyle[${index + 1}]`, () => writeUserStyle(writing, style)),
    ),
  ]);
}

function writeNamedStyle(writing: SldWriteContext, style: NamedStyle): OutputElement {
  reportDescriptionLoss(writing, style);
  return createElement('NamedStyle', [
    createTextElement(writing.toSymbolName('Name'), style.name),
    ...(writing.isSymbologyEncoding ? writeDescription(writing, style) : []),
  ]);
}

function writeUserLayer(writing: SldWriteContext, layer: UserLayer): OutputElement {
  const { coverageConstraints } = layer;
  if (coverageConstraints !== undefined && !writing.isSymbologyEncoding)
    writing.reportLoss('constraints on coverages (LayerCoverageConstraints)');
  return createElement('UserLayer', [
    createOptionalText(writing.toSymbolName('Name'), layer.name),
    ...(writing.isSymbologyEncoding ? writeDescription(writing, layer) : []),
    writeSource(writing, layer),
    writeConstraints(writing, layer.featureConstraints),
    coverageConstraints && writeForeignElement(coverageConstraints, sldNamespace),
    ...layer.styles.map((style, index) =>
      writing.runInside(`UserStyle[${index + 1}]`, () => writeUserStyle(writing, style)),
    ),
  ]);
}

function writeSource(writing: SldWriteContext, { source }: UserLayer): OutputElement | undefined {
  switch (source?.kind) {
    case 'remoteService':
      return createElement('RemoteOWS', [
        createTextElement('Service', source.service),
        writeOnlineResource(writing, source.href),
      ]);
    case 'inlineFeatures':
      return writeForeignElement(source.element, sldNamespace);
    default:
      return undefined;
  }
}

function writeConstraints(
  writing: SldWriteContext,
  constraints: readonly FeatureTypeConstraint[] | undefined,
): OutputElement | undefined {
  if (constraints === undefined) return undefined;
  return createElement(
    'LayerFeatureConstraints',
    constraints.map(({ featureTypeName, filter, extents }) =>
      createElement('FeatureTypeConstraint', [
        createOptionalText(writing.toSymbolName('FeatureTypeName'), featureTypeName),
        filter && writeFilter(writing, filter),
        ...extents.map(({ name, value }) =>
          createElement('Extent', [
            createTextElement(writing.toSymbolName('Name'), name),
            createTextElement('Value', value),
          ]),
        ),
      ]),
    ),
  );
}
