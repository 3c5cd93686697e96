import { FILE, listed } from '../../../tools/build/resourceList';
import { readText } from '../../support/reference';

it('the list of tables is complete', () => {
	expect(readText(FILE) === listed() ? [] : [`${FILE}: run "npm run build"`]).toEqual([]);
});
