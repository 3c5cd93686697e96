import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const script = readFileSync(path.join(__dirname, 'canvasInPage.js'), 'utf8');

/** What a person finds hard to read on the canvas of n8n's editor, as it is drawn. */
export interface CanvasLook {
	/** Each in words, such as `the wire from A to B crosses the name of C`. */
	faults: string[];
	/** Pixels of the screen for each pixel of the canvas, with all of the workflow in sight. */
	scale: number;
}

export const canvasLook = async (page: Page): Promise<CanvasLook> => await page.evaluate(script);
