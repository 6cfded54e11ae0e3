/** The page of a store: its published resources and its settings, the same for every kind. */
import type { Store } from '../../catalog/kinds/store.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import { html } from '../../http/serialization/html-page.ts';
import type { OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeNodeHtml } from '../../http/serialization/write-html.ts';
import type { Workspace } from '../../records/workspace.ts';
import { buildShortList } from '../common/short-list.ts';
import { getStorePath } from './representation.ts';

/** A store with its published resources for the page. */
export interface StorePageView<V> {
  readonly view: V;
  /** The names of the first ones. */
  readonly contents?: readonly string[];
}

/** `collection` is the path segment of the resources, and `title` the heading. */
export function createStorePage<V extends { readonly store: Store; readonly workspace: Workspace }>(
  document: DocumentWriter<V, OutputNode>,
  { collection, title }: { readonly collection: string; readonly title: string },
): DocumentWriter<StorePageView<V>> {
  return {
    root: document.root,
    schema: document.schema,
    write({ view, contents }) {
      const written = document.write(view);
      if (contents === undefined) {
        return written;
      }
      const all = [...getStorePath(view), collection];
      const list = {
        title,
        items: contents.map((name) => ({ name, path: [...all, name] })),
        all,
        empty: 'No published resources.',
      };
      const buildContent = (context: WriteContext) => html`${buildShortList(list, context)}
<h2>Settings</h2>
${writeNodeHtml(written.node, context)}`;
      return { ...written, page: { writeContent: buildContent } };
    },
  };
}
