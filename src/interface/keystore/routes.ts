/** Routes for the keystore password. */
import type { RouteTable } from '../../http/routes/route.ts';
import { family, get, put, type Services } from '../common/services.ts';
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
        { accepts: keystorePasswordDocument, problems: ['keystore-password-wrong', 'keystore-password-weak'] },
        ({ services: { keystore, catalog }, principal, body, precondition }) =>
          keystore
            .forCatalog(catalog)
            .changePassword(principal, { old: body.oldMasterPassword, next: body.newMasterPassword }, precondition),
      ),
    ],
  );
}
