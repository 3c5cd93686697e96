import { completedSnapshots } from '../../../sandbox/service/domain/snapshots/rules';
import { componentsAt } from '../../../sandbox/service/domain/content/plugins';
import { start } from './support';

/** Layouts of plugins and themes as they are met in life. */

interface Component {
	kind: string;
	file: string;
	name: string;
	version: string | null;
}

const nameOf = ({ kind, file, name, version }: Component) => `${kind} ${file} ${name} ${version}`;

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
	const files = [...found.keys()];
	for (const wanted of [
		'./wp-content/plugins/seo-suite/wp-seo.php false',
		'./wp-content/plugins/hello-words.php false',
		'./wp-content/plugins/image-slider-1.9.4/image-slider.php false',
		'./wp-content/plugins/gallery-light/gallery-light.php true',
		'./wp-content/plugins/licensed-forms/licensed-forms.php false',
		'./wp-content/mu-plugins/site-tweaks.php false',
		'./wp-content/mu-plugins/loader.php false',
		'./wp-content/mu-plugins/object-store/object-store.php false',
		'./wp-content/themes/x/style.css false',
		'./wp-content/themes/x-child/style.css false',
		'./wp-content/themes/x-child/style.css true',
	]) {
		expect(files).toContain(wanted);
	}

	for (const { siteId, component } of found.values()) {
		const { file, name, version } = component;
		const folder = file.slice(0, file.lastIndexOf('/') + 1);
		const { data: list } = await api.get(`/sites/${siteId}/files`, { params: { path: folder } });
		const entry = (list.files as Array<{ id: string; path: string }>).find(
			({ path }) => path === file,
		)!;
		const { data } = await api.get(`/sites/${siteId}/files/download`, {
			params: { id: entry.id },
			responseType: 'arraybuffer',
		});
		const text = Buffer.from(data as ArrayBuffer).toString('utf8', 0, 8192);
		const [, named] = /(?:Plugin|Theme) Name:\s+([^\r\n*]+)/.exec(text) ?? [];
		expect(named?.trim()).toBe(name);
		expect([nameOf(component), /^[^@\w]*Version:\s+(\S+)/m.exec(text)?.[1] ?? null]).toEqual([
			nameOf(component),
			version,
		]);
	}
});
