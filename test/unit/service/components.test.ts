import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { componentsAt } from '../../../sandbox/service/domain/content/components';
import { start } from './support';

/** Layouts of plugins and themes as they are met in life. */

it('has every layout somewhere in the fleet, as the control says', async () => {
	const { world, admin } = await start({ sites: 120 });
	const found = new Set<string>();
	for (const site of world.store.sites.peek()) {
		const { data } = await admin.get(`/sites/${site.id}/components`);
		const [newest] = completedSnapshots(world, site.id);
		const all = newest ? componentsAt(world, site, Date.parse(newest.created_at)) : [];
		expect(data.components).toEqual(all);
		for (const { file, version } of all) {
			const key = file.replace(/themes\/\w[\w-]*?(-child)?\//, 'themes/x$1/');
			found.add(`${key} ${version === null}`);
		}
	}
	expect([...found]).toEqual(
		expect.arrayContaining([
			'./wp-content/plugins/seo-suite/wp-seo.php false',
			'./wp-content/plugins/hello-words.php false',
			'./wp-content/plugins/image-slider-1.9.4/image-slider.php false',
			'./wp-content/plugins/gallery-light/gallery-light.php true',
			'./wp-content/plugins/licensed-forms/licensed-forms.php false',
			'./wp-content/mu-plugins/site-tweaks.php false',
			'./wp-content/mu-plugins/loader.php false',
			'./wp-content/mu-plugins/hello-words.php false',
			'./wp-content/mu-plugins/cron-helper.php true',
			'./wp-content/mu-plugins/object-store/object-store.php false',
			'./wp-content/themes/x/style.css false',
			'./wp-content/themes/x-child/style.css false',
			'./wp-content/themes/x-child/style.css true',
		]),
	);
});
