/** The documents for coverages. */

import type { CoverageView } from '../../catalog/coverages/coverage-view.ts';
import type { Coverage, CoverageDraft } from '../../catalog/kinds/coverage.ts';
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
import { bandsField, gridField, parametersField } from './fields.ts';
import { buildCoveragePage, type CoveragePageView } from './page.ts';

type CoverageRepresentation = ResourceRepresentation<Coverage>;

export function toCoverageRepresentation(view: CoverageView): Promise<CoverageRepresentation> {
  return toResourceRepresentation({ ...view, resource: view.coverage });
}

export function getCoveragePath(view: CoverageView): ResourcePath {
  return getResourcePath({ ...view, resource: view.coverage });
}

const { text, serverText } = createFieldBuilders<CoverageRepresentation>();

export const coverageDocument = defineDocument<CoverageRepresentation, ReturnType<typeof createFields>>(
  'coverage',
  createFields(),
  {
    title: ({ resource }) => `Coverage ${resource.name}`,
  },
);

function createFields() {
  return {
    ...createResourceFields<CoverageRepresentation>(
      'Metadata by key: text, or elements such as the dimensionInfo of `time`.',
    ),
    nativeFormat: serverText(({ resource }) => resource.nativeFormat, { description: 'Type of its store.' }),
    grid: gridField(({ resource, boundsCrs }: CoverageRepresentation) => ({
      grid: resource.grid,
      crs: resource.nativeCrs.code ?? boundsCrs?.text,
    })),
    supportedFormats: wordsField(({ resource }: CoverageRepresentation) => resource.supportedFormats),
    interpolationMethods: wordsField(({ resource }: CoverageRepresentation) => resource.interpolationMethods),
    defaultInterpolationMethod: text(({ resource }) => resource.defaultInterpolationMethod ?? undefined),
    dimensions: bandsField(({ resource }: CoverageRepresentation) => resource.declaredBands ?? resource.bands),
    requestSRS: wordsField(({ resource }: CoverageRepresentation) => resource.requestSRS),
    responseSRS: wordsField(({ resource }: CoverageRepresentation) => resource.responseSRS),
    parameters: parametersField(({ resource }: CoverageRepresentation) => resource.parameters),
    nativeCoverageName: text(({ resource }) => resource.nativeName, {
      description: 'Name in the data, like nativeName; either one selects the coverage of the data.',
      example: 'relief',
    }),
  };
}

/** The document of a coverage; its page also shows the extent and a table of bands. */
export const coveragePage: DocumentWriter<CoverageRepresentation & CoveragePageView> = {
  root: coverageDocument.root,
  schema: coverageDocument.schema,
  write(shown) {
    const written = coverageDocument.write(shown);
    return { ...written, page: { writeContent: (context) => buildCoveragePage(written.node, shown, context) } };
  },
};

/** Parses the same document into a catalog record. */
export const coverageInput: DocumentReader<CoverageDraft> = {
  root: coverageDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: coverageDocument.schema,
  read(body, purpose, unknown) {
    const { dimensions: bands, ...draft } = toCatalogDraft(coverageDocument.read(body, purpose, unknown));
    return { ...draft, ...(bands === undefined ? {} : { bands }) };
  },
};
