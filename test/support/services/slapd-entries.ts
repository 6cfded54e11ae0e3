/** The entries of the private LDAP directory. */
export const OPEN_BASE = 'dc=acme,dc=org';
export const CLOSED_BASE = 'dc=closed,dc=org';

export const ROOT_PASSWORD = 'root-of-acme';
export const READER_PASSWORD = 'reader-of-closed';

/** Passwords by user of the open directory. */
export const passwords = {
  ann: 'ann-in-ldap-1',
  bob: 'bob-in-ldap-2',
  cy: 'cy in ldap: 3 ü',
  /** A name with all special characters of DNs and filters. */
  'odd, (na*me)': 'odd-in-ldap-4',
  admin: 'admin-in-ldap-5',
} as const;

/** The only user of the closed directory. */
export const closedUser = { name: 'dee', password: 'dee-in-ldap-6' } as const;

function base(dn: string): string {
  return `dn: ${dn}\nobjectClass: dcObject\nobjectClass: organization\ndc: ${dn.slice(3, dn.indexOf(','))}\no: test\n`;
}

function unit(name: string, parent: string): string {
  return `dn: ou=${name},${parent}\nobjectClass: organizationalUnit\nou: ${name}\n`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function person(dn: string, name: string, password: string): string {
  const secret = `userPassword:: ${base64(password)}`;
  return `dn:: ${base64(dn)}\nobjectClass: person\nobjectClass: uidObject\ncn: ${name}\nsn: ${name}\nuid: ${name}\n${secret}\n`;
}

function group(name: string, parent: string, members: readonly string[]): string {
  const lines = members.map((each) => `member:: ${base64(each)}`).join('\n');
  return `dn: cn=${name},ou=groups,${parent}\nobjectClass: groupOfNames\ncn: ${name}\n${lines}\n`;
}

const personDn = (name: string) => `uid=${name.replace(',', '\\,')},ou=people,${OPEN_BASE}`;

/** `writers` contains ann, `editors` contains writers, `staff` contains editors and is, as a cycle, in writers. */
export const openEntries = [
  base(OPEN_BASE),
  unit('people', OPEN_BASE),
  unit('groups', OPEN_BASE),
  ...Object.entries(passwords).map(([name, password]) => person(personDn(name), name, password)),
  group('writers', OPEN_BASE, [personDn('ann'), `cn=staff,ou=groups,${OPEN_BASE}`]),
  group('editors', OPEN_BASE, [`cn=writers,ou=groups,${OPEN_BASE}`]),
  group('staff', OPEN_BASE, [`cn=editors,ou=groups,${OPEN_BASE}`]),
  group('chiefs', OPEN_BASE, [personDn('bob')]),
  group('anonymous', OPEN_BASE, [personDn('bob')]),
].join('\n');

export const closedEntries = [
  base(CLOSED_BASE),
  person(`cn=reader,${CLOSED_BASE}`, 'reader', READER_PASSWORD),
  person(`uid=${closedUser.name},${CLOSED_BASE}`, closedUser.name, closedUser.password),
  unit('groups', CLOSED_BASE),
  group('guests', CLOSED_BASE, [`uid=${closedUser.name},${CLOSED_BASE}`]),
].join('\n');
