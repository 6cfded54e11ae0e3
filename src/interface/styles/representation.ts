/** The documents for styles. */
import type { ListedStyle, StyleView } from '../../catalog/styles/style-view.ts';
import { type DocumentReader, type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import type { FieldValues } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { OutputMember, ResourcePath } from '../../http/serialization/output-tree.ts';
import { problem } from '../../lib/problems/problem.ts';
import { styleLanguages } from '../../styling/content/style-format.ts';
import { languageField, legendField, versionField } from './fields.ts';
import { buildStylePage, type StylePageFacts } from './page.ts';

const { text, map, reference, timestamp } = createFieldBuilders<StyleView>();

/** The path of a style; a global one has no workspace. */
export function getStylePath(name: string, workspace: string | null): ResourcePath {
  return workspace === null ? ['styles', name] : ['workspaces', workspace, 'styles', name];
}

const fields = {
  name: text(({ style }) => style.name, {
    required: true,
    description: 'Must be unique among the global styles, or in the workspace.',
  }),
  workspace: reference(({ workspace }) =>
    workspace === null ? undefined : { name: workspace.name, path: ['workspaces', workspace.name] },
  ),
  format: languageField<StyleView>(({ style, file }) => (file?.written?.format ?? style.format).language),
  languageVersion: versionField<StyleView>(({ style, file }) => (file?.written?.format ?? style.format).version),
  filename: text(({ style }) => style.filename, {
    required: true,
    description: 'File name of the content, in the folder of the workspace or of the global styles.',
    example: 'streets.sld',
  }),
  legend: legendField<StyleView>(({ style }) => style.legend),
  metadata: map(({ style }) => style.metadata, { description: 'Metadata by key.' }),
  dateCreated: timestamp(({ style }) => style.createdAtMs),
  dateModified: timestamp(({ modifiedAtMs }) => modifiedAtMs),
};

export const styleDocument = defineDocument('style', fields, { title: ({ style }) => `Style ${style.name}` });

/** Parses the entry of a style. */
export const styleInput: DocumentReader<FieldValues<typeof fields>> = {
  root: styleDocument.root,
  schema: styleDocument.schema,
  ...(styleDocument.maxBytes === undefined ? {} : { maxBytes: styleDocument.maxBytes }),
  read(body, purpose, unknown) {
    // Content sent with the Content-Type of an entry is a common error, so the message names the right types.
    if ([...body.members.keys()].some((name) => /^(?:\w+:)?StyledLayerDescriptor$/.test(name))) {
      throw problem('style-content-mismatch', {
        subject: 'The body',
        found: 'looks like SLD',
        expected: "the entry of a style (a 'style' document)",
        advice:
          'Send SLD 1.0.0 with the Content-Type application/vnd.ogc.sld+xml, SLD 1.1.0 with application/vnd.ogc.se+xml',
      });
    }
    return styleDocument.read(body, purpose, unknown);
  },
};

export interface StyleRepresentation {
  readonly view: StyleView;
  /** For pages only. */
  readonly page?: StylePageFacts;
}

/** The entry of a style; its page also shows a sample and the source. */
export const stylePage: DocumentWriter<StyleRepresentation> = {
  root: styleDocument.root,
  schema: styleDocument.schema,
  write({ view, page }) {
    const written = styleDocument.write(view);
    if (page === undefined) {
      return written;
    }
    const path = getStylePath(view.style.name, view.workspace?.name ?? null);
    return { ...written, page: { writeContent: (context) => buildStylePage(written.node, path, page, context) } };
  },
};

/** With `details`, each entry also has what a gallery shows. */
const styleDetails = {
  properties: {
    format: { type: 'string', enum: styleLanguages, description: 'With details=true, like the following members.' },
    workspace: { type: 'string', description: 'Absent for global styles.' },
    builtIn: { type: 'boolean', description: 'Whether the style is built in and cannot be deleted.' },
    layers: {
      type: 'array',
      items: { type: 'string' },
      description: 'The first layers that use the style, with their workspaces. Built-in styles have none.',
    },
  },
  write: ({ workspace, details }: ListedStyle): readonly OutputMember[] => {
    if (details === undefined) return [];
    const { format, isBuiltIn, layers } = details;
    const values = Object.entries({ format, workspace, builtIn: isBuiltIn }).flatMap(([name, value]): OutputMember[] =>
      value === null ? [] : [{ name, node: { kind: 'value', value } }],
    );
    return [...values, { name: 'layers', node: { kind: 'repeated', items: layers } }];
  },
} as const;

export const styleListing = createListWriter<ListedStyle>('styles', {
  itemName: 'style',
  title: 'Styles',
  name: ({ name }) => name,
  details: styleDetails,
  path: ({ name, workspace }) => getStylePath(name, workspace),
});
