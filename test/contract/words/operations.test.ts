import { FAMILIES } from '../../support/operationCases';

/**
 * Every case of every operation once more, by nodes whose table of real words is filled, at a service that speaks
 * them and takes no others: the same requests reach it, and the same items come out.
 */

jest.mock('../../support/noWords.json', () => jest.requireActual('../../support/filledWords.json'));

describe.each(FAMILIES)('%s', (family) => {
	require(`../operations/${family}.test`);
});
