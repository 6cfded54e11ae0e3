/** Coverages as documents. */
import type { Coverage, CoverageDraft } from '../../catalog/coverages/coverage.ts';
import type { CoverageView } from '../../catalog/coverages/coverage-view.ts';
import {
  type DocumentReader,
  type DocumentWriter,
  document,
  SMALL_DOCUMENT_BYTES,
} from '../../http/documents/document.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import type { ResourcePath } from '../../http/formats/output-tree.ts';
import { wordsField } from '../resources/fields.ts';
import {
  inCatalogWords,
  resourceFields,
  resourcePath,
  type ShownResource,
  shownResource,
} from '../resources/representation.ts';
import { bandsField, gridField, parametersField } from './fields.ts';
import { type CoverageOnPage, coveragePageContent } from './page.ts';

type ShownCoverage = ShownResource<Coverage>;

export function shownCoverage(view: CoverageView): Promise<ShownCoverage> {
  return shownResource({ ...view, resource: view.coverage });
}

export function coveragePath(view: CoverageView): ResourcePath {
  return resourcePath({ ...view, resource: view.coverage });
}

const { text, serverText } = fieldsOf<ShownCoverage>();

export const coverageDocument = document<ShownCoverage, ReturnType<typeof fields>>('coverage', fields(), {
  title: ({ resource }) => `Coverage ${resource.name}`,
});

function fields() {
  return {
    ...resourceFields<ShownCoverage>('Remarks by key: text, or elements, such as the dimensionInfo of `time`.'),
    nativeFormat: serverText(({ resource }) => resource.nativeFormat, { description: 'The kind of its store.' }),
    grid: gridField(({ resource, boundsCrs }: ShownCoverage) => ({
      grid: resource.grid,
      crs: resource.nativeCrs.code ?? boundsCrs?.text,
    })),
    supportedFormats: wordsField(({ resource }: ShownCoverage) => resource.supportedFormats),
    interpolationMethods: wordsField(({ resource }: ShownCoverage) => resource.interpolationMethods),
    defaultInterpolationMethod: text(({ resource }) => resource.defaultInterpolationMethod ?? undefined),
    dimensions: bandsField(({ resource }: ShownCoverage) => resource.bands),
    requestSRS: wordsField(({ resource }: ShownCoverage) => resource.requestSRS),
    responseSRS: wordsField(({ resource }: ShownCoverage) => resource.responseSRS),
    parameters: parametersField(({ resource }: ShownCoverage) => resource.parameters),
    nativeCoverageName: text(({ resource }) => resource.nativeName, {
      description: 'The name in the data, as nativeName; either of them says which coverage of the data is meant.',
      example: 'relief',
    }),
  };
}

/** The document of a coverage; on its page also where it lies, and its bands in a table. */
export const coveragePage: DocumentWriter<ShownCoverage & CoverageOnPage> = {
  root: coverageDocument.root,
  schema: coverageDocument.schema,
  write(shown) {
    const written = coverageDocument.write(shown);
    return { ...written, page: { content: (context) => coveragePageContent(written.node, shown, context) } };
  },
};

/** The same document read into the words of the catalog. */
export const coverageInput: DocumentReader<CoverageDraft> = {
  root: coverageDocument.root,
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: coverageDocument.schema,
  read(body, purpose, unknown) {
    const { dimensions: bands, ...draft } = inCatalogWords(coverageDocument.read(body, purpose, unknown));
    return { ...draft, ...(bands === undefined ? {} : { bands }) };
  },
};
