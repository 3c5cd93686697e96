import * as resourceList from '../../../tools/build/resourceList';
import * as returned from '../../../tools/build/returned';
import { readText } from '../../support/reference';

it.each([
	['list of tables', resourceList],
	['list of what the operations return', returned],
])('the %s is complete', (_, { FILE, listed }) => {
	expect(readText(FILE) === listed() ? [] : [`${FILE}: run "npm run build"`]).toEqual([]);
});
