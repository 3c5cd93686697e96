import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { folder, WITHOUT_CHECKLIST } from './take';

/** How often what moves is looked at. */
const LOOK_MS = 400;

/** A moving picture, of what a page shows one after the other. */
export class Film {
	private readonly frames: Array<{ image: Buffer; ms: number }> = [];

	/** Shows the page for this long, with these words below it. */
	async show(page: Page, words: string, ms: number): Promise<void> {
		const caption = `body::after { content: ${JSON.stringify(words)}; position: fixed; inset: auto 0 0; z-index: 99999; padding: 14px; background: #1d4ed8; color: #fff; font: 600 22px sans-serif; text-align: center; }`;
		// The page of the sandbox lets nobody add a <style>.
		const sheet = `sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(caption)});`;
		await page.evaluate(`${sheet} document.adoptedStyleSheets = [sheet];`);
		const image = await page.screenshot({ style: WITHOUT_CHECKLIST });
		await page.evaluate('document.adoptedStyleSheets = []');
		const last = this.frames.at(-1);
		if (last?.image.equals(image)) last.ms += ms;
		else this.frames.push({ image, ms });
	}

	/** Shows in this time what happens until it has happened. */
	async follow<T>(page: Page, words: string, ms: number, what: Promise<T>): Promise<T> {
		let isOver = false;
		const end = what.finally(() => (isOver = true));
		const first = this.frames.length;
		while (!isOver) {
			await this.show(page, words, LOOK_MS);
			await page.waitForTimeout(LOOK_MS / 4);
		}
		const shown = this.frames.splice(first);
		const every = Math.ceil(shown.length / (ms / 120));
		const kept = shown.filter((_frame, index) => index % every === 0);
		this.frames.push(...kept.map(({ image }) => ({ image, ms: Math.round(ms / kept.length) })));
		return await end;
	}

	async write(name: string): Promise<void> {
		const images = this.frames.map(({ image }) => image);
		const delay = this.frames.map(({ ms }) => ms);
		const file = path.join(folder, `${name}.webp`);
		const { size } = await sharp(images, { join: { animated: true } })
			.webp({ delay, loop: 0, quality: 60, effort: 6 })
			.toFile(file);
		const seconds = delay.reduce((sum, ms) => sum + ms, 0) / 1_000;
		process.stdout.write(
			`  ${name}.webp: ${Math.round(seconds)} s, ${Math.round(size / 1e3)} kB\n`,
		);
		if (size > 3_000_000) throw new Error(`${file} is larger than 3 MB`);
	}
}
