/** The documents for feature types. */

import type { FeatureTypeView } from '../../catalog/feature-types/feature-type-view.ts';
import type { FeatureType, FeatureTypeDraft } from '../../catalog/kinds/feature-type.ts';
import {
  type DocumentReader,
  type DocumentWriter,
  defineDocument,
  SMALL_DOCUMENT_BYTES,
} from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import type { ResourcePath } from '../../http/serialization/output-tree.ts';
import { wordsField } from '../resources/fields.ts';
import {
  createResourceFields,
  getResourcePath,
  type ResourceRepresentation,
  toCatalogDraft,
  toResourceRepresentation,
} from '../resources/representation.ts';
import { numberField } from '../resources/text-fields.ts';
import { attributeField } from './attribute-field.ts';
import { buildFeatureTypePage, type DataSample } from './page.ts';

type FeatureTypeRepresentation = ResourceRepresentation<FeatureType>;

export function toFeatureTypeRepresentation(view: FeatureTypeView): Promise<FeatureTypeRepresentation> {
  return toResourceRepresentation({ ...view, resource: view.type });
}

export function getFeatureTypePath(view: FeatureTypeView): ResourcePath {
  return getResourcePath({ ...view, resource: view.type });
}

const { text, flag, integer } = createFieldBuilders<FeatureTypeRepresentation>();

export const featureTypeDocument = defineDocument<FeatureTypeRepresentation, ReturnType<typeof createFields>>(
  'featureType',
  createFields(),
  {
    title: ({ resource }) => `Feature type ${resource.name}`,
  },
);

function createFields() {
  return {
    ...createResourceFields<FeatureTypeRepresentation>(
      'Metadata by key: text, or elements such as the dimensionInfo of `time` and the virtualTable of `JDBC_VIRTUAL_TABLE`.',
    ),
    cqlFilter: text(({ resource }) => resource.cqlFilter ?? undefined),
    maxFeatures: integer(({ resource }) => resource.maxFeatures),
    numDecimals: integer(({ resource }) => resource.numDecimals),
    padWithZeros: flag(({ resource }) => resource.padWithZeros),
    forcedDecimal: flag(({ resource }) => resource.forcedDecimal),
    responseSRS: wordsField(({ resource }: FeatureTypeRepresentation) => resource.responseSRS),
    overridingServiceSRS: flag(({ resource }) => resource.overridingServiceSRS),
    skipNumberMatched: flag(({ resource }) => resource.skipNumberMatched),
    circularArcPresent: flag(({ resource }) => resource.circularArcPresent),
    linearizationTolerance: numberField(({ resource }: FeatureTypeRepresentation) => resource.linearizationTolerance),
    encodeMeasures: flag(({ resource }) => resource.encodeMeasures),
    attributes: attributeField(({ resource, store }: FeatureTypeRepresentation) => ({
      attributes: resource.declaredAttributes ?? resource.attributes,
      source: store.parameters['dbtype'] === undefined ? 'file' : 'database',
    })),
  };
}

/** The document of a feature type; its page also shows the first features. */
export interface FeatureTypePageView {
  readonly shown: FeatureTypeRepresentation;
  readonly sample: DataSample;
}

export const featureTypePage: DocumentWriter<FeatureTypeRepresentation | FeatureTypePageView> = {
  root: featureTypeDocument.root,
  schema: featureTypeDocument.schema,
  write(resource) {
    if (!('sample' in resource)) {
      return featureTypeDocument.write(resource);
    }
    const { shown, sample } = resource;
    const written = featureTypeDocument.write(shown);
    return {
      ...written,
      page: { writeContent: (context) => buildFeatureTypePage(written.node, shown, sample, context) },
    };
  },
};

/** Parses the same document into a catalog record. */
export const featureTypeInput: DocumentReader<FeatureTypeDraft> = {
  root: featureTypeDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: featureTypeDocument.schema,
  read: (body, purpose, unknown) => toCatalogDraft(featureTypeDocument.read(body, purpose, unknown)),
};
