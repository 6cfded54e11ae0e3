/** The keystore password as a document, and the page that does not show it. */
import { defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { toRootlessDocument } from '../../http/documents/rootless.ts';
import { html, text } from '../../http/serialization/html-page.ts';
import type { OutputPage } from '../../http/serialization/output-tree.ts';

const fields = createFieldBuilders<string>();

const passwordDocument = toRootlessDocument(
  defineDocument(
    'masterPassword',
    {
      oldMasterPassword: fields.text((password) => password, {
        description: 'The current keystore password.',
        example: 'the one it has',
      }),
      newMasterPassword: fields.text(() => undefined, {
        description: 'The password to change to: at least 8 characters, and another than the old one.',
        example: 'another one',
      }),
    },
    { title: () => 'Keystore password' },
  ),
);

/** Pages are come across by a click, and are seen by whoever looks over a shoulder: who wants the password says so. */
const pageWithoutPassword: OutputPage = {
  alternates: [],
  writeContent: ({
    buildUrl: urlOf,
  }) => html`<p>The password is not shown on pages. A program that asks for XML or JSON is told it:</p>
<pre class="source">curl -u admin ${text(urlOf(['security', 'masterpw']))}.json</pre>`,
};

export const keystorePasswordDocument = {
  ...passwordDocument,
  write: (password: string) => ({ ...passwordDocument.write(password), page: pageWithoutPassword }),
};
