/** The private servers for tests, each started on first use. */
import { findProgram } from '../find-program.ts';
import { tools } from '../tools.ts';
import { type MariadbServer, startMariadb } from './mariadb.ts';
import { type MongodServer, startMongod } from './mongod.ts';
import { type PostgisServer, startPostgis } from './postgis.ts';
import type { RunningService } from './running-service.ts';
import { type SlapdServer, startSlapd } from './slapd.ts';

export interface ServiceDetails {
  readonly postgis: PostgisServer;
  readonly mariadb: MariadbServer;
  readonly slapd: SlapdServer;
  readonly mongod: MongodServer;
}

export type ServiceStarters = {
  readonly [Name in keyof ServiceDetails]: () => Promise<RunningService<ServiceDetails[Name]>>;
};

/** Tests never lose power. Flushes to disk would take minutes of their time. */
const WITHOUT_FLUSHES = { fsync: 'off', full_page_writes: 'off' };

export const serviceStarters: ServiceStarters = {
  async postgis() {
    const programs = tools.postgis.find();
    if (programs === undefined)
      throw new Error(`${tools.postgis.title} is missing; to get it: ${tools.postgis.byHand}`);
    return startPostgis(programs, undefined, { settings: WITHOUT_FLUSHES });
  },
  async mariadb() {
    const program = tools.mariadb.find();
    if (program === undefined) throw new Error(`${tools.mariadb.title} is missing; to get it: ${tools.mariadb.byHand}`);
    return startMariadb(program);
  },
  async slapd() {
    const program = tools.slapd.find();
    if (program === undefined) throw new Error(`${tools.slapd.title} is missing; to get it: ${tools.slapd.byHand}`);
    return startSlapd(program);
  },
  async mongod() {
    const program = findProgram(['mongod']);
    if (program === undefined) throw new Error('there is no mongod on the PATH');
    return startMongod(program);
  },
};
