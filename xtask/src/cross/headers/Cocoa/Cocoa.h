// Of AppKit, one class is asked for. See ../Foundation/Foundation.h.
#pragma once
#import <Foundation/Foundation.h>

@interface NSImage : NSObject
- (instancetype)initWithContentsOfURL:(NSURL *)url;
@end
