import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { componentsAt } from '../../../sandbox/service/domain/content/components';
import { start } from './support';

/** Layouts of plugins and themes as they are met in life. */

interface Component {
	kind: string;
	file: string;
	name: string;
	version: string | null;
}

it('has every layout somewhere in the fleet, and the bytes of each main file say what the control says', async () => {
	const { world, admin, api } = await start({ sites: 120 });
	const found = new Map<string, { siteId: string; component: Component }>();
	for (const site of world.store.sites.peek()) {
		const { data } = await admin.get(`/sites/${site.id}/components`);
		const [newest] = completedSnapshots(world, site.id);
		const all = newest ? componentsAt(world, site, Date.parse(newest.created_at)) : [];
		expect(data.components).toEqual(all);
		for (const component of data.components as Component[]) {
			const key = component.file.replace(/themes\/\w[\w-]*?(-child)?\//, 'themes/x$1/');
			found.set(`${key} ${component.version === null}`, { siteId: site.id, component });
		}
	}
	expect([...found.keys()]).toEqual(
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

	for (const { siteId, component } of found.values()) {
		const { file: main, name, version } = component;
		const params = { path: main.slice(0, main.lastIndexOf('/') + 1) };
		const { data } = await api.get(`/sites/${siteId}/files`, { params });
		const { id } = data.files.find(({ path }: { path: string }) => path === main);
		const file = await api.get(`/sites/${siteId}/files/download`, {
			params: { id },
			responseType: 'arraybuffer',
		});
		const text = Buffer.from(file.data as ArrayBuffer).toString('utf8', 0, 8192);
		const [, named] = /(?:Plugin|Theme) Name:\s+([^\r\n*]+)/.exec(text) ?? [];
		const said = /^[^@\w]*Version:[ \t]+(\S+)/m.exec(text)?.[1] ?? null;
		expect([main, named?.trim(), said]).toEqual([main, name, version]);
	}
});
