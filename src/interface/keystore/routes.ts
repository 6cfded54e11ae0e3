/** Routes for the keystore: its password and its keys. */
import type { RouteTable } from '../../http/routes/route.ts';
import { act, family, get, put, type Services } from '../common/services.ts';
import { keystoreKeysDocument } from './keys-document.ts';
import { keystorePasswordDocument } from './representation.ts';

export function keystoreRoutes(): RouteTable<Services> {
  return family(
    'Keystore',
    {
      description:
        'The keystore contains the key that encrypts every secret of the catalog; its password protects that key.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'securitySettings',
    },
    [
      get(
        '/security/masterpw',
        'Read the keystore password',
        { returns: keystorePasswordDocument, versioned: true, confidential: true },
        async ({ services: { keystore, catalog } }) => {
          const { password, version } = await keystore.forCatalog(catalog).getPassword();
          return { resource: password, version };
        },
      ),

      put(
        '/security/masterpw',
        'Change the keystore password',
        {
          accepts: keystorePasswordDocument,
          problems: ['keystore-password-wrong', 'keystore-password-weak', 'server-key-missing'],
        },
        ({ services: { keystore, catalog }, principal, body, precondition }) =>
          keystore
            .forCatalog(catalog)
            .changePassword(principal, { old: body.oldMasterPassword, next: body.newMasterPassword }, precondition),
      ),

      get(
        '/security/keystore',
        'List the keys of the keystore and of each node by their ids',
        { returns: keystoreKeysDocument },
        async ({ services: { keystore, catalog } }) => ({ resource: await keystore.forCatalog(catalog).readKeys() }),
      ),

      act(
        '/security/keystore/data-key',
        'Replace the key that encrypts secrets, and encrypt all secrets with the new key',
        { rejectsUnknownQuery: true, problems: ['server-key-missing', 'keystore-nodes-behind'] },
        ({ services: { keystore, catalog }, principal }) => keystore.forCatalog(catalog).rotateDataKey(principal),
      ),

      act(
        '/security/keystore/secrets',
        'Encrypt the secrets with the current data key that are encrypted with a previous one',
        { rejectsUnknownQuery: true },
        ({ services: { keystore, catalog }, principal }) => keystore.forCatalog(catalog).resealSecrets(principal),
      ),

      act(
        '/security/keystore/server-key',
        'Replace the server key in the data directory',
        { rejectsUnknownQuery: true, problems: ['server-key-external', 'server-key-in-use'] },
        ({ services: { keystore, catalog }, principal }) => keystore.forCatalog(catalog).rotateServerKey(principal),
      ),

      act(
        '/security/keystore/finish',
        'Finish the rotation of the server key: remove all server keys but the current one from the keystore',
        { rejectsUnknownQuery: true, problems: ['server-key-in-use'] },
        ({ services: { keystore, catalog }, principal }) =>
          keystore.forCatalog(catalog).removePreviousServerKeys(principal),
      ),
    ],
  );
}
