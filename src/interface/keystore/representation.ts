/** The document for the keystore password, and the page, which does not show it. */
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
        example: 'current password',
      }),
      newMasterPassword: fields.text(() => undefined, {
        description: 'New password: at least 8 characters, different from the old one.',
        example: 'new password',
      }),
    },
    { title: () => 'Keystore password' },
  ),
);

/** The page omits the password because a link can open it by accident and others can see the screen. */
const pageWithoutPassword: OutputPage = {
  alternates: [],
  writeContent: ({ buildUrl: urlOf }) => html`<p>The password is not shown on pages. Request it as XML or JSON:</p>
<pre class="source">curl -u admin ${text(urlOf(['security', 'masterpw']))}.json</pre>`,
};

export const keystorePasswordDocument = {
  ...passwordDocument,
  write: (password: string) => ({ ...passwordDocument.write(password), page: pageWithoutPassword }),
};
