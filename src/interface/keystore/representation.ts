/** The keystore password as a document. */
import { document } from '../../http/documents/document.ts';
import { fieldsOf } from '../../http/documents/fields.ts';
import { rootless } from '../../http/documents/rootless.ts';

const { text } = fieldsOf<string>();

export const keystorePasswordDocument = rootless(
  document(
    'masterPassword',
    {
      oldMasterPassword: text((password) => password, {
        description: 'The current keystore password.',
      }),
      newMasterPassword: text(() => undefined, {
        description: 'The password to change to: at least 8 characters, and another than the old one.',
      }),
    },
    { title: () => 'Keystore password' },
  ),
);
