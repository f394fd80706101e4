package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// checks is the script that judges a page from within.
//
//go:embed page.js
var checks string

// View is how a page is looked at.
type View struct {
	Name          string
	Width, Height int64
	Dark          bool
	// Scriptless switches the page's own script off.
	Scriptless bool
}

// Views are a desk and phones, in light and dark.
var Views = []View{
	{Name: "wide-light", Width: 1280, Height: 900},
	{Name: "wide-dark", Width: 1280, Height: 900, Dark: true},
	{Name: "phone-light", Width: 390, Height: 844},
	{Name: "phone-dark", Width: 390, Height: 844, Dark: true},
	{Name: "small-scriptless", Width: 360, Height: 640, Scriptless: true},
}

// Open starts a browser that reaches no network: whatever it asks for goes to a port at which
// nobody listens.
func Open(program string) (context.Context, func(), error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.ProxyServer("127.0.0.1:9"),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"),
	)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	closeAll := func() { end(); stop() }
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		closeAll()
		return nil, nil, fmt.Errorf("starting %s: %w", program, err)
	}
	return ctx, closeAll, nil
}

// observer notes what a page asks for and complains about, and in which view.
type observer struct {
	mu         sync.Mutex
	page, view string
	faults     []string
}

// looksAt tells of which view the next faults are.
func (o *observer) looksAt(view string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.view = view
}

// note keeps faults.
func (o *observer) note(faults ...string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, fault := range faults {
		o.faults = append(o.faults, o.view+": "+fault)
	}
}

func (o *observer) see(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if e.Request.URL != o.page && !strings.HasPrefix(e.Request.URL, "data:image/png;") { // a part of the page
			o.note("a request: " + e.Request.URL)
		}
	case *log.EventEntryAdded:
		o.note(fmt.Sprintf("the browser says: %s: %s", e.Entry.Level, e.Entry.Text))
	case *runtime.EventConsoleAPICalled:
		o.note(fmt.Sprintf("the console says: %s", e.Type))
	case *runtime.EventExceptionThrown:
		o.note("an exception: " + e.ExceptionDetails.Text)
	}
}

// Check opens a file and looks at it in some views, one after the other, and returns what is wrong
// with it. With a folder it leaves pictures of the page there. The page is loaded again only where
// its script is switched off or on: a browser that starts anew for each view takes most of the time.
func Check(ctx context.Context, file string, views []View, pictures string) ([]string, error) {
	tab, end := chromedp.NewContext(ctx)
	defer end()
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	o := &observer{page: (&url.URL{Scheme: "file", Path: path}).String()}
	if err := chromedp.Listen(tab, o.see); err != nil {
		return nil, err
	}
	for i, v := range views {
		if err := chromedp.Do(tab, v.apply()); err != nil {
			return nil, err
		}
		o.looksAt(v.Name)
		if i == 0 || v.Scriptless != views[i-1].Scriptless {
			if err := chromedp.Do(tab, chromedp.Navigate(o.page)); err != nil {
				return nil, err
			}
		}
		found, err := v.judge(tab)
		if err == nil && pictures != "" {
			err = chromedp.Do(tab, v.picture(filepath.Join(pictures, strings.TrimSuffix(filepath.Base(file), ".html")+"-"+v.Name)))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		o.note(found...)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.faults, nil
}

// settled waits until the page has been laid out for the view and drawn, and its script has heard of it.
const settled = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"

// judge returns what the checks find on the page as it is shown.
func (v *View) judge(tab context.Context) ([]string, error) {
	if !v.Scriptless { // where the page's scripts are off, nothing waits for a frame either
		if _, err := chromedp.Run(tab, chromedp.Evaluate[int](settled, chromedp.EvalAwaitPromise)); err != nil {
			return nil, err
		}
	}
	return chromedp.Run(tab, chromedp.Evaluate[[]string](checks))
}

// apply makes a tab show pages as the view says, and tell what they do.
func (v *View) apply() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		scheme := "light"
		if v.Dark {
			scheme = "dark"
		}
		_, media := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		size := v.resize(ctx, t, v.Height)
		_, script := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.Scriptless})
		_, requests := cdp.Call(ctx, t, network.Enable, network.EnableParams{})
		_, entries := cdp.Call(ctx, t, log.Enable, cdp.Empty{})
		return errors.Join(media, size, script, requests, entries)
	})
}

// resize gives the screen another height.
func (v *View) resize(ctx context.Context, t *chromedp.Target, height int64) error {
	_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: v.Width, Height: height, DeviceScaleFactor: 1, Mobile: v.Width < 600,
	})
	return err
}

// tile is how much of a page one picture shows, in pixels: more of it could not be read.
const tile = 1500

// picture writes pictures of a page, from its top to its end, as somebody sees it who scrolls: to
// draw all of a long page for each would take minutes.
func (v *View) picture(file string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if err := v.resize(ctx, t, tile); err != nil {
			return err
		}
		height, err := chromedp.Evaluate[float64]("document.documentElement.scrollHeight")(ctx, t)
		for i := 0; float64(i*tile) < height && err == nil; i++ {
			_, scrolled := chromedp.Evaluate[float64](fmt.Sprintf("scrollTo({top: %d, behavior: 'instant'}); scrollY", i*tile))(ctx, t)
			shot, fault := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{OptimizeForSpeed: new(true)})
			if err = errors.Join(scrolled, fault); err == nil {
				err = os.WriteFile(fmt.Sprintf("%s-%02d.png", file, i), shot.Data, 0o644)
			}
		}
		return err
	})
}

// Print returns a page as it is printed, as PDF.
func Print(ctx context.Context, file string) ([]byte, error) {
	tab, end := chromedp.NewContext(ctx)
	defer end()
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	var out []byte
	err = chromedp.Do(tab, chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		printed, err := cdp.Call(ctx, t, page.PrintToPDF, page.PrintToPDFParams{})
		if err == nil {
			out = printed.Data
		}
		return err
	}))
	return out, err
}
