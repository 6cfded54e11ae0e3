/** Runs the vector source contract over MariaDB: a table with a key, and a view without one. */
import { openMysql } from '../support/mysql-sources.ts';
import { describeWithMariadb } from '../support/with-mariadb.ts';
import { vectorSourceContract } from './vector-source.contract.ts';

const COUNT = 2_500;

describeWithMariadb('vector sources on MariaDB', (mariadb) => {
  for (const large of ['squares', 'squares_seen']) {
    vectorSourceContract(`MariaDB, reading ${large}`, async () => {
      await mariadb.clear();
      await mariadb.query(`
        CREATE TABLE squares (id int PRIMARY KEY AUTO_INCREMENT, name text, geom polygon REF_SYSTEM_ID=4326);
        INSERT INTO squares (name, geom)
          SELECT CONCAT('square ', seq), ST_GeomFromText(CONCAT('POLYGON((', seq, ' 0,', seq + 1, ' 0,', seq + 1, ' 1,', seq,
            ' 1,', seq, ' 0))'), 4326) FROM seq_1_to_${COUNT};
        CREATE VIEW squares_seen AS SELECT name, geom FROM squares;
        CREATE TABLE Names (name varchar(20) PRIMARY KEY, age int)`);
      return {
        source: await openMysql(mariadb.connection),
        typeNames: ['Names', 'squares', 'squares_seen'],
        large: { name: large, count: COUNT },
        ...(large === 'squares' ? {} : { hasKeys: false }),
        destroy: async () => undefined,
      };
    });
  }
});
